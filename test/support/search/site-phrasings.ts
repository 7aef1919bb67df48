// Questions of analysts, administrators, helpdesks and managers of several kinds of sites; the first 153 were written
// before the grammar was read.

/** As `ASKED_PHRASINGS`. */
export const SITE_PHRASINGS = `
top talkers since 7 this morning | flows |  | 2026-11-25T06:00 2026-11-25T10:30 | bytes by src.ip 10
who is hogging the line right now | declined
anything talking to russia over the weekend | flows | dst.country:RU | 2026-11-20T23:00 2026-11-22T23:00 |  | noted
ssh from outside last night | flows | service:ssh direction:inbound | 2026-11-24T19:00 2026-11-25T05:00
how many devices used smb1 this week | declined
failed dns lookups between 2 and 3 pm | declined
show me NXDOMAIN responses from the printer network | declined
which hosts resolved evil.example.com | devices | dns.query:(evil.example.com, *.evil.example.com) |  |  | noted
uploads over 500 MB to dropbox | flows | src.bytes>500MB server_name:*dropbox* direction:outbound |  |  | noted
who uploaded more than 2 gigs yesterday | devices | src.bytes>2GB direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
list unassigned critical incidents | incidents | -assignee:* severity=critical
incidents older than 3 days still open | incidents | first_seen<-3d status:(open, investigating) |  |  | noted
my open incidents | incidents | status:open assignee:me
incidents closed by anna last month | incidents | status:(resolved, false_positive) assignee:anna | 2026-09-30T22:00 2026-10-31T23:00 |  | noted
false positives this quarter | incidents | status:false_positive | 2026-09-30T22:00 2026-11-25T10:30 |  | noted
which detector fires the most | incidents |  |  | count by detector 10 | noted
port scans from the guest wifi | incidents | detector=scan vlan:Guests |  |  | noted
brute force against the domain controller | incidents | detector=brute-force device.type=domain_controller |  |  | noted
expired certificates | incidents | title:expired |  |  | noted
self-signed certs on port 8443 | incidents | title:self-signed dst.port:8443 |  |  | noted
tls 1.0 or 1.1 connections to servers | flows | tls.version:(1.0, 1.1) device.type:server |  |  | noted
who still uses tls below 1.2 | devices | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) |  |  | noted
flows with user agent curl | flows | user_agent:curl |  |  | noted
python-requests or wget user agents | flows | user_agent:(python-requests, wget) |  |  | noted
http posts bigger than 10mb | flows | http.method=POST src.bytes>10MB
plain http logins | flows | service:http logon:*
ftp sessions with anonymous user | declined
logins as administrator on the file server | flows | user:administrator device.type=file_server logon:*
failed logins for jsmith today | flows | logon:failed user:jsmith | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
which accounts failed kerberos most often | declined
new devices since monday | devices | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z
devices not seen for 30 days | devices | last_seen<-30d
devices first seen in the last 24h on vlan 20 | devices | first_seen:2026-11-24T10:30:00Z..2026-11-25T10:30:00Z device.vlan:20
what is 10.1.2.3 | flows | ip:10.1.2.3 |  |  | noted
what did 10.1.2.3 do between 9:15 and 9:45 | flows | ip:10.1.2.3 | 2026-11-25T08:15 2026-11-25T08:45
everything 192.168.1.50 sent to the internet except dns | flows | src.ip:192.168.1.50 direction:outbound -service:dns |  |  | noted
traffic from 10.0.0.0/8 to 172.16.0.0/12 | flows | src.ip:10.0.0.0/8 dst.ip:172.16.0.0/12
10.2.0.0/16 but not 10.2.5.0/24 | flows | ip:10.2.0.0/16 -ip:10.2.5.0/24 |  |  | noted
flows between finance and production | flows | (device:finance or owner:finance) (device:production or owner:production) |  |  | noted
does finance talk to production | flows | (device:finance or owner:finance) (device:production or owner:production or server_name:*production*) |  |  | noted
who talked to whom on port 445 | flows | dst.port:445 |  |  | noted
tcp 3389 inbound from the internet | flows | proto=tcp dst.port:3389 direction:inbound |  |  | noted
rdp between workstations | declined
udp 53 not to our dns servers | flows | proto=udp dst.port:53 -device.type=dns_server |  |  | noted
dns to 8.8.8.8 or 1.1.1.1 | flows | service:dns dst.ip:(8.8.8.8, 1.1.1.1)
quic traffic yesterday afternoon | flows | service:quic | 2026-11-24T11:00 2026-11-24T17:00
any telnet at all? | flows | service:telnet |  |  | noted
is anyone using telnet | devices | service:telnet |  |  | noted
unencrypted protocols in use | declined
what services run on srv-db01 | flows | device:srv-db01 or owner:srv-db01 |  | count by service 10 | noted
open ports on 10.4.4.4 | flows | dst.ip:10.4.4.4 |  | count by dst.port 10 | noted
how many ports did 10.9.8.7 try | flows | ip:10.9.8.7 |  | count by dst.port 100 | noted
hosts contacting more than 100 different destinations in an hour | declined
devices with more than 50 connections per minute | declined
flows faster than 100 mbit/s | declined
average throughput of the backup server last night | declined
average packet size of dns flows | declined
long connections over 8 hours | flows | duration>8h |  |  | noted
shortest tls sessions | declined
connections that lasted less than a second | flows | duration<1s |  |  | noted
tiny flows with more than 1000 packets | declined
number of packets from the camera vlan | flows | device.type=camera vlan:* |  | packets by  1 | noted
how much data left the company yesterday | flows | direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 | src.bytes by  1 | noted
how much did laptop-42 download in the last 90 minutes | flows | device:laptop-42 or owner:laptop-42 | 2026-11-25T09:00 2026-11-25T10:30 | dst.bytes by  1 | noted
total traffic per vlan last 7 days | flows |  | 2026-11-18T10:30 2026-11-25T10:30 | bytes by vlan 10
bytes by country this month | flows |  | 2026-10-31T23:00 2026-11-25T10:30 | bytes by dst.country 10 | noted
top 10 countries by upload | flows |  |  | src.bytes by dst.country 10 | noted
top 5 domains per device | declined
which asn gets most of our data | flows |  |  | bytes by dst.asn 10 | noted
traffic to china or north korea | flows | dst.country:(CN, KP)
outbound flows not to germany | flows | direction:outbound -dst.country:DE
connections to countries other than germany, austria and switzerland | flows | dst.country:* -dst.country:(DE, AT, CH) |  |  | noted
anything to .ru or .cn domains | flows | server_name:(*.ru, *.cn) |  |  | noted
domains longer than 60 characters | declined
newly registered domains | declined
dga domains seen today | incidents | detector=dga dns.query:* | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
dns tunnelling incidents | incidents | detector=dns-tunnel
beaconing to unknown hosts this week | incidents | detector:(beacon, beacon-name) device.type=unknown | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
is there any ransomware | declined
lateral movement in the last two days | incidents | detector=lateral-movement | 2026-11-23T10:30 2026-11-25T10:30
data exfiltration alerts high or above | incidents | detector=exfiltration severity>=high
medium incidents that nobody has looked at | incidents | severity=medium -assignee:* |  |  | noted
incidents assigned to peter but not closed | incidents | assignee:peter status:(open, investigating)
who has the most open incidents | declined
incidents per assignee last week | incidents |  | 2026-11-15T23:00 2026-11-22T23:00 | count by assignee 10
number of incidents by severity since january | incidents |  | 2025-12-31T23:00 2026-11-25T10:30 | count by severity 10
oldest open incident | incidents | status:open |  |  | noted
latest 20 incidents | declined
incidents on srv-web01 before yesterday | incidents | device:srv-web01 or owner:srv-web01 | 1970-01-01T00:00 2026-11-23T23:00 |  | noted
incidents with score above 80 | incidents | score>80
devices with no incidents | devices | -severity:*
devices with more than 3 incidents | declined
riskiest devices | devices | device.score>=40 |  |  | noted
printers that talk to the internet | devices | device.type=printer direction:outbound
cameras sending data abroad | flows | device.type=camera direction:outbound |  |  | noted
iot devices with uploads | devices | device.type=iot direction:outbound |  |  | noted
which windows 7 machines are left | declined
apple devices in the guest network | declined
devices by vendor | declined
how many macs do we have | declined
device with mac 00:1a:2b:3c:4d:5e | declined
who had ip 10.3.3.3 last tuesday | devices | device.ip:10.3.3.3 | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
hostname starts with lap- | declined
names containing test | declined
devices without a name | devices | -device:*
unknown devices | devices | device.type=unknown |  |  | noted
servers that have not been online since friday | devices | device.type:server last_seen<2026-11-19T23:00:00Z
what happened at 3:17 am | flows |  | 2026-11-25T02:17 2026-11-25T02:47 |  | noted
traffic at noon | flows |  | 2026-11-24T11:00 2026-11-24T11:30 |  | noted
after hours traffic | declined
on 12 march from 10 to 11 | flows |  | 2026-03-12T09:00 2026-03-12T10:00 |  | noted
last wednesday 8am to 10am smtp | flows | service:smtp | 2026-11-18T07:00 2026-11-18T09:00
since yesterday 6pm | flows |  | 2026-11-24T17:00 2026-11-25T10:30 |  | noted
in the past fortnight | flows |  | 2026-11-11T10:30 2026-11-25T10:30 |  | noted
5 minutes ago | flows |  | 2026-11-25T10:25 2026-11-25T10:26 |  | noted
the day before yesterday | flows |  | 2026-11-22T23:00 2026-11-23T23:00 |  | noted
traffic two weeks ago | flows |  | 2026-11-10T23:00 2026-11-11T23:00
q1 uploads to amazon | flows | server_name:*amazon* direction:outbound | 2025-12-31T23:00 2026-03-31T22:00 |  | noted
mails sent by the print server | declined
smtp from anything that isn't the mail server | flows | service:smtp -device.type=mail_server |  |  | noted
who sends mail directly to the internet | devices | service:smtp direction:outbound |  |  | noted
ntp to outside servers | flows | service:ntp direction:outbound
snmp with community public | declined
ldap without tls | flows | service:ldap -service:tls
smb writes to \\\\fs01\\finance | declined
who accessed the share hr | devices | smb.share:hr |  |  | noted
files named invoice.exe | flows | smb.file:invoice.exe
exe downloads over http | declined
sni contains onedrive | flows | server_name:*onedrive* |  |  | noted
flows where server name is empty | flows | -server_name:* |  |  | noted
ja3 e7d705a3286e19ea42f587b344ee6865 | flows | ja3:e7d705a3286e19ea42f587b344ee6865
cert issuer Let's Encrypt | flows | certificate.issuer:"Let's Encrypt"
certificates expiring within 14 days | declined
netflix and youtube during working hours | declined
who is on facebook | devices | server_name:*facebook* |  |  | noted
tor users | declined
vpn connections from home offices | declined
teamviewer or anydesk | flows | server_name:(*teamviewer*, *anydesk*) |  |  | noted
crypto miners | declined
rejected connections to 10.5.5.5 | declined
syn without answer | declined
half open connections in the last 10 min | declined
icmp bigger than 1000 bytes | flows | proto=icmp bytes>1kB |  |  | noted
multicast traffic by device | declined
ipv6 only | flows | ip:"::/0" |  |  | noted
broadcast storms | declined
which sensor sees the most traffic | flows |  |  | bytes by sensor 10 | noted
flows without vlan tag | flows | -vlan:*
vlan 10 to vlan 30 | flows | device.vlan:10 device.vlan:30 |  |  | noted
compare today with yesterday | declined
why is the network slow | declined
are we safe | declined
who is bob | declined
infusion pumps reaching the internet | declined
which MRI scanners talked to anything but the PACS server today | declined
traffic from the radiology vlan to outside between midnight and 5am | declined
did the nurse station pcs browse facebook this week | declined
dicom traffic last night | declined
port 104 from anything that is not the PACS | flows | dst.port:104 not (device:pacs or owner:pacs) |  |  | noted
who logged into the EHR server as admin on sunday | declined
patient data leaving the hospital | declined
modbus writes to the PLCs | declined
modbus from the office network | flows | service:modbus vlan:Office |  |  | noted
any profinet or s7 traffic on the factory floor? | declined
has the line 3 HMI been reached from outside since the shift change at 6 | declined
which engineering workstation programmed a plc yesterday | declined
plcs that opened connections to the internet in november | devices | device.type=plc direction:outbound | 2026-10-31T23:00 2026-11-25T10:30 |  | noted
devices in the Test laboratory seen before 8 o'clock today | devices | device.vlan:"Test laboratory" | 2026-11-24T23:00 2026-11-25T07:00 |  | noted
unknown MAC addresses on the plant network | declined
top 3 bandwidth consumers in the Training room during the exam this morning 8 to 10 | declined
students using vpns | flows | (device:students or owner:students) (device:vpns or owner:vpns or server_name:*vpns*) |  |  | noted
which pupils streamed video during lessons | declined
tiktok in the guests vlan, last 5 school days | declined
how much traffic did tiktok.com get from Guests yesterday | flows | (server_name:(tiktok.com, *.tiktok.com) or dns.query:(tiktok.com, *.tiktok.com)) vlan:Guests | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1 | noted
list every device that was on the Guests network more than 12 hours | devices | device.vlan:Guests duration>12h |  |  | noted
Guest devices that scanned anything | declined
does any guest talk to our Servers? | flows | (device:guest or owner:guest) vlan:Servers |  |  | noted
hotel room tvs calling home | declined
key card system connections outside of the building network | declined
POS terminals talking to each other | declined
point of sale traffic to anywhere except the payment provider | declined
swift servers with failed logons since friday evening | declined
ATM 17 traffic last 2 hours | flows | device:"atm 17" or owner:"atm 17" | 2026-11-25T08:30 2026-11-25T10:30 |  | noted
wire transfers over 1 million | declined
transfers over 100 MB from the bank vlan at night | declined
more than five failed logins for the same user | declined
accounts locked out today | flows | user:locked | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
did svc_backup log on anywhere but the backup server? | declined
who used the account krbtgt | devices | user:krbtgt |  |  | noted
tickets nobody owns | incidents | -owner:* |  |  | noted
What's left for me to do from yesterday? | declined
give me ada's incidents that are still not solved | incidents | (device:ada or owner:ada) status:(open, investigating) |  |  | noted
everything grace closed as false positive in the last month | declined
critical stuff only please | declined
anything worse than medium since I left on Friday at 5 | declined
incidents except the low ones | incidents | -severity=low |  |  | noted
low or info incidents that are not false positives | incidents | severity:(low, info) -status:false_positive
did we get hacked | declined
how many criticals did we have each day last week | incidents | severity=critical | 2026-11-15T23:00 2026-11-22T23:00 | count by  1 1d | noted
incident count per detector this month, highest first | declined
trend of incidents by week | declined
mean time to close | declined
which detectors were silent last week | declined
is suricata still sending | flows | source:suricata direction:outbound |  |  | noted
sensor load | flows | sensor:load |  |  | noted
traffic not seen by zeek | flows | -source:zeek
the 10 noisiest alerts since october 1st | flows |  | 2026-09-30T22:00 2026-11-25T10:30 | count by alert 10 | noted
suricata alerts ET SCAN grouped by source | declined
connections from 203.0.113.0/24 which were answered | declined
traffic from countries outside the EU | declined
flows where neither end is ours | declined
connections between two internal hosts over 2 GB | declined
smb from one workstation to another | declined
rdp that didn't come from the jump host | declined
ssh logins with a password | declined
ssh on a port other than 22 | flows | service:ssh dst.port!=22 |  |  | noted
http on 8080 and 8081 | declined
dns over anything but port 53 | flows | service:dns -dst.port:53 |  |  | noted
https to an address instead of a name | declined
dns answers pointing to 203.0.113.9 | flows | dns.answer:203.0.113.9
subdomains of example.org looked up over 100 times | declined
lookups ending in .local | declined
longest connections of the day | declined
longest lasting tunnel to 198.51.100.20 | incidents | detector=dns-tunnel dst.ip:198.51.100.20 duration>=1h |  |  | noted
sessions between 10 and 20 minutes | flows | duration:10m..20m
flows of exactly 0 bytes | declined
at most 3 packets | flows | packets<=3 |  |  | noted
half a gig or more to google | declined
downloads of 2,5 GB and up | declined
1.5GB+ uploads yesterday | flows | src.bytes>=1500MB direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
who pulled 40 GB from the nas on the 20th | flows | dst.bytes>=40GB device.type=file_server | 2026-11-19T23:00 2026-11-20T23:00 |  | noted
what was using up the internet line around 14:15 yesterday | declined
was 10.20.30.40 online on monday morning | declined
when did we first see 10.20.30.40 | declined
last contact of NASHUA with 203.0.113.7 | declined
since when is DESK-7 beaconing | declined
what else did DESK-7 do five minutes before the incident | declined
everything in the hour after 03:00 yesterday | declined
mon-fri 9-17 traffic to dropbox.com | declined
25.11. 09:00 to 09:30 | flows |  | 2026-11-25T08:00 2026-11-25T08:30 |  | noted
11/24/2026 web traffic | declined
2026-11-24 22:00 till 2026-11-25 02:00 | flows |  | 2026-11-24T21:00 2026-11-25T01:00 |  | noted
from last Friday 17:00 to Monday 07:30 rdp from the internet | flows | service:rdp direction:inbound | 2026-11-20T16:00 2026-11-23T06:30
past 36h new devices in Servers | devices | first_seen:2026-11-23T22:30:00Z..2026-11-25T10:30:00Z device.vlan:Servers |  |  | noted
week 47 incidents | declined
thanksgiving traffic | declined
certificates for *.internal.example | flows | certificate:* server_name:*.internal.example |  |  | noted
cert with subject CN=vpn.example.com | declined
Mozilla/5.0 user agents from Servers | declined
internet explorer users | declined
printers with a risk of more than 70 but no open incidents | devices | device.type=printer device.score>70 -status:open |  |  | noted
cameras or printers with uploads in the last hour | devices | device.type=(camera, printer) direction:outbound | 2026-11-25T09:30 2026-11-25T10:30 |  | noted
all servers but not the domain controllers | devices | device.type:server -device.type=domain_controller |  |  | noted
devices owned by Kim or Lee, not tagged retired | devices | owner:(Kim, Lee) -tag=retired |  |  | noted
untagged iot things | declined
not internal, not dns, not web | flows | -direction:internal -service:dns -service:(http, tls) |  |  | noted
bytes per country and hour | declined
10.0.0.1 > 10.0.0.2 | declined
tcp/445 from Guests | flows | proto=tcp dst.port:445 vlan:Guests |  |  | noted
Could you tell me which of the printers have been sending stuff to china since last thursday? | devices | device.type=printer dst.country:CN direction:outbound | 2026-11-18T23:00 2026-11-25T10:30 |  | noted
hows the guest wifi doing today | declined
bob from accounting says his internet was slow around 2, what was he doing | declined
whats eating bandwidth on vlan 30 rn | declined
any hits on 185.220.101.0/24 in the last week or so | declined
has 185.220.101.4 ever touched our network | declined
first time we saw evil-domain.biz | declined
last seen NASHUA | devices | device:nashua or owner:nashua |  |  | noted
NASHUA activity before it went quiet | declined
connections to NASHUA on weird ports | declined
top ten external IPs by connections not bytes | declined
top destinations by number of connections | flows |  |  | count by dst.ip 10 | noted
which internal servers accept connections from the internet | flows | device.type:server direction:inbound |  |  | noted
servers exposed to the internet on 3389 or 22 | declined
open rdp to the world | declined
hosts with both ssh and rdp inbound | declined
devices using ssh and telnet | devices | service:(ssh, telnet) |  |  | noted
devices that use dns but never tls | declined
servers without any traffic this month | declined
workstations with no incidents since january | devices | device.type=workstation -severity:* | 2025-12-31T23:00 2026-11-25T10:30 |  | noted
devices in vlan 20 and 30 | devices | device.vlan:(20, 30) |  |  | noted
incidents in vlan 20 or on printers | declined
high or critical incidents without an assignee older than a day | incidents | severity:(high, critical) -assignee:* first_seen<-1d |  |  | noted
critical incidents assigned to me from this week | incidents | severity=critical assignee:me | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
mark all incidents resolved | declined
close incident 12 | declined
incident 12 | declined
show incident number 42 | declined
incidents number of | incidents |  |  | count by  1 | noted
count incidents closed by grace per week | declined
flows with more bytes in than out | declined
flows where the client sent over 1 GB | flows | src.bytes>1GB direction:outbound |  |  | noted
received less than 1 KB | flows | dst.bytes<1kB |  |  | noted
client bytes over 10 mb | devices | bytes>10MB |  |  | noted
average session length for ssh | declined
max bytes of a single flow today | declined
sum bytes for 10.0.0.5 yesterday | declined
total packets udp yesterday | flows | proto=udp | 2026-11-23T23:00 2026-11-24T23:00 | packets by  1
udp flows per minute | declined
dns per device per hour | declined
kerberos failures by user and device | declined
failed logins top users last 24 hours | flows | logon:failed | 2026-11-24T10:30 2026-11-25T10:30 | count by user 10 | noted
users with failed and successful logins | declined
user names starting with adm | declined
logins of adm-* | declined
user agent is not chrome | declined
user agents without mozilla | declined
http 404s yesterday | declined
http status 500 to 599 | declined
status 404 | flows | http.status=404
responses 5xx from the web server | flows | http.status:500..599 device.type=web_server |  |  | noted
GET requests to 10.0.0.7 with path /admin | flows | http.method=GET dst.ip:10.0.0.7 http.path:/admin |  |  | noted
urls containing login.php | flows | http.path:login.php
host header intranet.local | devices | (device:header or owner:header) (server_name:(intranet.local, *.intranet.local) or dns.query:(intranet.local, *.intranet.local)) |  |  | noted
TLS without SNI to russia | flows | service:tls -server_name:* dst.country:RU
self signed certificates in the Servers vlan | incidents | title:self-signed vlan:Servers |  |  | noted
certs expiring soon | declined
ja4 t13d1516h2_8daaf6152771_b186095e22b6 today | flows | ja4:t13d1516h2_8daaf6152771_b186095e22b6 | 2026-11-24T23:00 2026-11-25T10:30
hassh of 10.0.0.5 | flows | hassh:* ip:10.0.0.5 |  |  | noted
AS 13335 or AS15169 uploads | flows | asn:(AS13335, AS15169) direction:outbound |  |  | noted
google's asn | declined
country = cn | declined
src country russia dst port 22 | declined
source port 53 inbound udp | flows | src.port:53 direction:inbound proto=udp |  |  | noted
traffic to port 8000-9000 | flows | dst.port:8000..9000
ports above 1024 inbound | flows | dst.port>1024 direction:inbound |  |  | noted
dst.port > 1024 | declined
non-standard ports | declined
not port 443 | flows | -dst.port:443 |  |  | noted
everything but web | flows | -service:(http, tls)
neither dns nor ntp | declined
without dns and ntp | flows | -service:(dns, ntp) |  |  | noted
traffic other than tcp and udp | flows | -proto=(tcp, udp) |  |  | noted
icmp from guests to servers | flows | proto=icmp vlan:Guests device.type:server |  |  | noted
arp spoofing | declined
vlan hopping | flows | vlan:hopping |  |  | noted
mdns and ssdp | declined
sip calls longer than 30 min | flows | service:sip duration>30m |  |  | noted
print jobs to printer-3 | declined
backups last night | declined
windows updates | declined
zoom meetings yesterday | declined
software update servers contacted by cameras | declined
cameras contacting more than one country | declined
who visited more than 100 sites | declined
people working on saturday | declined
late night logins | declined
logins before 6 or after 20 | declined
morning traffic last week | declined
traffic on weekends | declined
every monday | declined
on the 1st and the 15th | declined
the last 2 working days | declined
since the last reboot | declined
since the incident started | declined
end of last month | declined
beginning of november | declined
first week of november | declined
summer 2026 | declined
christmas eve | declined
between christmas and new year | declined
an hour ago | flows |  | 2026-11-25T09:30 2026-11-25T10:30 |  | noted
half an hour ago | flows |  | 2026-11-25T10:00 2026-11-25T10:30 |  | noted
in the last half hour | flows |  | 2026-11-25T10:00 2026-11-25T10:30 |  | noted
last hour and a half | declined
24h | declined
7d | declined
yesterday until 9 | declined
up to 8am today | declined
from 8am | flows |  | 2026-11-25T07:00 2026-11-25T10:30 |  | noted
from 8am on | flows |  | 2026-11-25T07:00 2026-11-25T10:30 |  | noted
starting at 8am today | flows |  | 2026-11-25T07:00 2026-11-25T10:30 |  | noted
data received from russia | flows | dst.country:RU |  |  | noted
how much did 10.0.0.5 download from russia | flows | src.ip:10.0.0.5 dst.country:RU |  | dst.bytes by  1 | noted
who downloaded from 10.0.0.9 | devices | dst.ip:10.0.0.9 -device.ip:10.0.0.9 |  |  | noted
who downloaded the most from russia | flows | dst.country:RU |  | dst.bytes by src.ip 10 | noted
downloads over 1 GB from 10.0.0.9 | flows | dst.bytes>1GB dst.ip:10.0.0.9 |  |  | noted
uploads from russia | flows | src.country:RU |  |  | noted
uploads to 10.0.0.9 | flows | dst.ip:10.0.0.9 |  |  | noted
downloads by NASHUA | flows | device:nashua or owner:nashua |  |  | noted
what did 10.0.0.5 download yesterday | flows | ip:10.0.0.5 | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
`;
