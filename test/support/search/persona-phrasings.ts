// Three further lots of such questions, each written after what the lot before found had been mended.

/** As `ASKED_PHRASINGS`. */
export const PERSONA_PHRASINGS = `
did our cameras reach any address in russia yesterday | flows | device.type=camera dst.country:RU | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
who uses ftp at the moment | devices | service:ftp | 2026-11-25T10:15 2026-11-25T10:30 |  | noted
any brute force against SCRANTON in the last week | incidents | detector=brute-force (device:scranton or owner:scranton) | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
outbound ssh from servers last night | flows | direction:outbound service:ssh device.type:server | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
what does the printer in the office talk to | flows | device.type=printer vlan:Office |  |  | noted
connections made by 10.0.0.5 to port 445 this morning | flows | src.ip:10.0.0.5 dst.port:445 | 2026-11-25T05:00 2026-11-25T10:30
everything 10.0.0.5 received from the internet | flows | src.ip:10.0.0.5 direction:outbound |  |  | noted
how many bytes did 10.0.0.5 get from 10.0.0.9 | flows | ip:10.0.0.5 src.ip:10.0.0.9 |  | bytes by  1 | noted
which servers got connections from china yesterday | declined
servers contacted from china | devices | device.type:server src.country:CN |  |  | noted
hosts contacted by workstations over rdp | flows | device.type=workstation service:rdp |  |  | noted
machines that were contacted by 203.0.113.5 | devices | src.ip:203.0.113.5 |  |  | noted
incidents caused by 10.0.0.5 | incidents | src.ip:10.0.0.5 |  |  | noted
incidents on servers caused by outside hosts | incidents | device.type:server direction:inbound |  |  | noted
who in the research vlan talks to google.com | devices | device.vlan:Research server_name:(google.com, *.google.com) |  |  | noted
research vlan top talkers | flows | vlan:Research |  | bytes by src.ip 10 | noted
top talkers in research excluding 10.0.1.6 | flows | vlan:Research -ip:10.0.1.6 |  | bytes by src.ip 10 | noted
ssh from the internet to anything in the servers vlan | flows | service:ssh direction:inbound vlan:Servers |  |  | noted
is anybody from outside connecting with rdp | devices | direction:inbound service:rdp |  |  | noted
unknown devices in the guests vlan today | devices | device.type=unknown device.vlan:Guests | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
devices of unknown type | devices | device.type=unknown device.type:* |  |  | noted
unknown owners | devices | -owner:*
incidents that are neither mine nor unassigned | declined
not mine and still open | incidents | -assignee:me status:(open, investigating) |  |  | noted
investigating incidents of ada | incidents | status:investigating (device:ada or owner:ada) |  |  | noted
incidents ada is investigating | declined
who is investigating the malware incident | declined
critical incidents, newest on top | incidents | severity=critical |  |  | noted
incidents from this morning with high or critical severity in the servers vlan | incidents | severity:(high, critical) vlan:Servers | 2026-11-25T05:00 2026-11-25T10:30
low severity beaconing | incidents | severity=low detector:(beacon, beacon-name)
beacons every 60 seconds | declined
beacon to a .top domain | incidents | detector:(beacon, beacon-name) server_name:*.top |  |  | noted
domains with .top | flows | dns.query:* (server_name:*.top or dns.query:*.top) |  |  | noted
who asked for something under example.org | devices | dns.query:(example.org, *.example.org) |  |  | noted
lookups of update.example.com by other devices than servers | declined
dns lookups from guests that got nxdomain | declined
failed lookups per device yesterday | flows | dns.rcode=NXDOMAIN | 2026-11-23T23:00 2026-11-24T23:00 | count by device 10 | noted
names that do not exist | declined
requests to /admin | declined
http post to russia | flows | http.method=POST dst.country:RU
post requests bigger than 1mb | flows | http.method=POST src.bytes>1MB
requests with user agent sqlmap | flows | user_agent:sqlmap |  |  | noted
web traffic on port 8080 | flows | service:(http, tls) dst.port:8080 |  |  | noted
web traffic not on port 80 or 443 | flows | service:(http, tls) -dst.port:(80, 443) |  |  | noted
https to port other than 443 | flows | service:tls dst.port!=443
tls 1.3 only | flows | tls.version:1.3 |  |  | noted
tls older than 1.2 from servers to the internet | flows | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) device.type:server direction:outbound |  |  | noted
certificates from let's encrypt on port 8443 | declined
invalid certificates of last week | incidents | detector=certificate | 2026-11-15T23:00 2026-11-22T23:00
certificate of example.com | flows | certificate:* server_name:(example.com, *.example.com) |  |  | noted
devices showing expired certificates | declined
smb files named invoice | flows | service:smb smb.file:invoice
who read the share finance yesterday | declined
writes to share backup | declined
share access from outside | flows | smb.share:* direction:inbound |  |  | noted
psexec usage | declined
powershell downloads | declined
exe files over http | declined
large smb transfers between servers | declined
more than 50 mb by smb to SCRANTON since yesterday | flows | bytes>50MB service:smb (device:scranton or owner:scranton or server_name:*scranton*) | 2026-11-23T23:00 2026-11-25T10:30 |  | noted
traffic bigger than 1gb between office and servers | flows | bytes>1GB device.vlan:Office device.vlan:Servers |  |  | noted
flows below 100 bytes to the internet | flows | bytes<100B direction:outbound
flows with zero bytes | declined
flows shorter than 5 seconds to port 22 | flows | duration<5s dst.port:22
ssh sessions that are longer than one day | flows | service:ssh duration>1d |  |  | noted
connections which lasted exactly one hour | declined
traffic of at least 1000 packets | flows | packets>=1000
less than 10 packets to port 3389 | flows | packets<10 dst.port:3389 |  |  | noted
packets per device today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | packets by device 10
how many connections per minute | declined
peak traffic of today | declined
traffic per hour to germany on monday | flows | dst.country:DE | 2026-11-22T23:00 2026-11-23T23:00 | bytes by  1 1h
connections per day to 38.229.70.33 this month | flows | dst.ip:38.229.70.33 | 2026-10-31T23:00 2026-11-25T10:30 | count by  1 1d | noted
top ports of the guests today | flows | vlan:Guests | 2026-11-24T23:00 2026-11-25T10:30 | count by dst.port 10 | noted
top source ports to 10.0.0.1 | flows | dst.ip:10.0.0.1 |  | count by src.port 10 | noted
top countries by number of connections | flows |  |  | count by dst.country 10 | noted
top owners by incidents | declined
devices per vlan | devices |  |  | count by device.vlan 10
devices per type in the office vlan | devices | device.vlan:Office |  | count by device.type 10
tags in use | devices | tag:* |  |  | noted
incidents per detector this month | incidents |  | 2026-10-31T23:00 2026-11-25T10:30 | count by detector 10
incidents per assignee | incidents |  |  | count by assignee 10
how many incidents has grace | declined
number of critical incidents per day since monday | incidents | severity=critical | 2026-11-22T23:00 2026-11-25T10:30 | count by  1 1d | noted
which technique is most common | incidents | technique:* |  | count by technique 10 | noted
techniques seen on SCRANTON | incidents | technique:* (device:scranton or owner:scranton) |  |  | noted
t1110 or t1021 incidents | incidents | technique:(T1110, T1021) |  |  | noted
mitre t1071 in the last month by servers | flows | technique:T1071 | 2026-09-30T22:00 2026-10-31T23:00 | bytes by dst.ip 10 | noted
ids alerts from the guests to servers | flows | alert:* vlan:Guests device.type:server |  |  | noted
alerts on udp | incidents | proto=udp |  |  | noted
suricata signatures with trojan | flows | source:suricata alert:trojan |  |  | noted
signature et scan today | flows | alert:et detector=scan | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
sid 2024897 from which host | devices | alert.id=2024897 |  |  | noted
alerts without severity | declined
anomalies from zeek this morning | flows | anomaly:* source:zeek | 2026-11-25T05:00 2026-11-25T10:30
dns anomalies of 10.0.0.5 | flows | service:dns anomaly:* ip:10.0.0.5
netflow only traffic | declined
traffic that suricata did not see | declined
what did sensor zeek-office see in the last hour | flows | sensor:zeek-office | 2026-11-25T09:30 2026-11-25T10:30 |  | noted
sensors by number of flows | declined
vlan 20 to vlan 30 | flows | device.vlan:20 device.vlan:30 |  |  | noted
vlan 20 but not from 10.0.20.5 | flows | vlan:20 -src.ip:10.0.20.5 |  |  | noted
traffic from vlan 20 to the internet without dns | flows | vlan:20 direction:outbound -service:dns
untagged traffic | flows | -tag:* |  |  | noted
10.0.0.0/8 to 192.168.0.0/16 | flows | src.ip:10.0.0.0/8 dst.ip:192.168.0.0/16 |  |  | noted
10.0.0.5 -> 10.0.0.9 | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 |  |  | noted
10.0.0.5:443 | flows | ip:10.0.0.5 dst.port:443 |  |  | noted
from 10.0.0.5 to 10.0.0.9 on 443 | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 dst.port:443 |  |  | noted
from port 53 to 10.0.0.5 | flows | src.port:53 dst.ip:10.0.0.5 |  |  | noted
source port 53 traffic | flows | src.port:53 |  |  | noted
traffic to ports 8000 to 9000 | flows | dst.port:8000..9000
ports above 1024 on SCRANTON | flows | dst.port>1024 (device:scranton or owner:scranton) |  |  | noted
who listens on port 22 | devices | dst.port:22 |  |  | noted
as13335 traffic today by device | flows | asn:AS13335 | 2026-11-24T23:00 2026-11-25T10:30 | bytes by device 10 | noted
cloudflare traffic | declined
microsoft servers contacted by ada | flows | server_name:*microsoft* (device:ada or owner:ada) |  |  | noted
traffic to amazon | flows | server_name:*amazon* |  |  | noted
traffic to a hosting provider | declined
tor traffic | declined
vpn connections to the netherlands | declined
internal hosts talking to russia | devices | dst.country:RU |  |  | noted
internal web servers contacted from outside | devices | device.type=web_server direction:inbound |  |  | noted
internal dns server lookups | devices | device.type=dns_server dns.query:* |  |  | noted
external dns servers used by printers | declined
public servers contacted by guests | declined
foreign countries contacted by servers | flows | direction:outbound device.type:server |  |  | noted
attacks from outside yesterday evening | incidents | direction:inbound | 2026-11-24T17:00 2026-11-24T23:00 |  | noted
attacked servers | incidents | device.type:server |  |  | noted
which server was attacked the most | declined
suspicious devices in office | devices | device.score>=40 device.vlan:Office |  |  | noted
riskiest devices with owner maria | declined
most risky device | declined
important incidents of today | incidents | severity>=high | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
urgent things to do | declined
what should i look at first | declined
what needs my attention | declined
what happened while i was away | declined
give me an overview of today | declined
summary of yesterday's incidents | declined
last night's incidents for maria's pc | incidents | (device:maria or owner:maria) device.type=workstation | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
did maria's computer do something bad last night | devices | (device:maria or owner:maria) severity:* | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
has maria logged in from germany | flows | user:maria src.country:DE logon:* |  |  | noted
from where did ada log in | declined
when did maria log in last | declined
users that logged in on more than one device | declined
logins outside the office vlan | flows | -vlan:Office logon:* |  |  | noted
logins by ssh to servers which failed today from russia | flows | service:ssh device.type:server src.country:RU logon:failed | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
accounts that failed on NASHUA | declined
who pinged 10.0.0.9 today | devices | proto=icmp dst.ip:10.0.0.9 -device.ip:10.0.0.9 | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
who browsed example.com | devices | service:(http, tls) server_name:(example.com, *.example.com) |  |  | noted
who exfiltrated data last week | devices | detector=exfiltration | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
who called 10.0.0.9 by sip | devices | dst.ip:10.0.0.9 service:sip -device.ip:10.0.0.9 |  |  | noted
show mail to external recipients | declined
emails from 10.0.0.25 to the outside | flows | service:smtp src.ip:10.0.0.25 direction:outbound
spam from our network | declined
rogue dhcp servers this week | incidents | detector=rogue-dhcp | 2026-11-22T23:00 2026-11-25T10:30
dhcp requests from unknown devices | flows | service:dhcp device.type=unknown |  |  | noted
ntp floods from china | incidents | service:ntp detector=flood src.country:CN |  |  | noted
scan of port 22 from inside the network | declined
scans not from the vulnerability scanner | incidents | detector=scan not (device:vulnerability or owner:vulnerability) |  |  | noted
scans against the domain controller yesterday between 3 and 5 pm | incidents | detector=scan device.type=domain_controller | 2026-11-24T14:00 2026-11-24T16:00 |  | noted
yesterday 14:00 to 15:30 traffic of desk 2 | flows | device:"desk 2" or owner:"desk 2" | 2026-11-24T13:00 2026-11-24T14:30 |  | noted
two days ago traffic of desk 2 | flows | device:"desk 2" or owner:"desk 2" | 2026-11-22T23:00 2026-11-23T23:00 |  | noted
since last friday 6pm | flows |  | 2026-11-20T17:00 2026-11-25T10:30 |  | noted
until yesterday noon | flows |  | 2026-10-24T11:00 2026-11-24T11:00 |  | noted
on tuesday before lunch | declined
around midnight yesterday | flows |  | 2026-11-23T23:00 2026-11-23T23:30 |  | noted
this year | flows |  | 2025-12-31T23:00 2026-11-25T10:30 |  | noted
in october but not on weekends | declined
which student laptops reached tiktok.com during this morning | declined
teachers' devices with alerts | devices | (device:teachers or owner:teachers) severity:* |  |  | noted
any phone on the servers vlan | devices | device.type=phone device.vlan:Servers
did the mail server get contacted from iran today | flows | device.type=mail_server src.country:IR | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
what does 10.10.4.50 do at nights | declined
is nashua talking to anybody outside germany | flows | (device:nashua or owner:nashua) dst.country:* -dst.country:DE |  |  | noted
who else talked to 188.173.32.149 besides 172.16.253.129 | devices | dst.ip:188.173.32.149 -device.ip:172.16.253.129 |  |  | noted
devices that talked to 188.173.32.149 except 10.10.3.73 | devices | dst.ip:188.173.32.149 -device.ip:10.10.3.73
ssh to 10.0.0.9 not from 10.0.0.5 | flows | service:ssh dst.ip:10.0.0.9 -src.ip:10.0.0.5
ssh from 10.0.0.5 excluding internal | flows | service:ssh src.ip:10.0.0.5 -direction:internal
dns from printers not to our dns server | flows | service:dns device.type=printer -device.type=dns_server |  |  | noted
workstation to workstation rdp | devices | device.type=workstation device.type=workstation service:rdp |  |  | noted
rdp between office and research | flows | service:rdp device.vlan:Office device.vlan:Research |  |  | noted
smb from guests to anything internal | flows | service:smb vlan:Guests direction:internal |  |  | noted
how often did 10.0.0.5 talk to 10.0.0.9 yesterday | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 | 2026-11-23T23:00 2026-11-24T23:00 | count by  1 | noted
how many times was nashua contacted from outside | flows | (device:nashua or owner:nashua) direction:inbound |  | count by  1 | noted
how many different countries did we talk to | flows |  |  | bytes by dst.country 100 | noted
number of devices in the guests network | devices | device.vlan:Guests |  | count by  1
number of printers | devices | device.type=printer |  | count by  1
count of failed logins today | flows | logon:failed | 2026-11-24T23:00 2026-11-25T10:30 | count by  1
how many gigabytes went to china this week | flows | dst.country:CN | 2026-11-22T23:00 2026-11-25T10:30 | bytes by  1 | noted
data volume to russia per day last week | flows | dst.country:RU | 2026-11-15T23:00 2026-11-22T23:00 | bytes by  1 1d | noted
top 3 printers by traffic | declined
top 10 incidents by score | declined
top 10 domains of 10.0.0.5 | flows | ip:10.0.0.5 |  | count by dns.query 10 | noted
top failed domains | declined
most used ports from outside | flows | direction:inbound |  | count by dst.port 10 | noted
most common passwords | declined
biggest upload to dropbox.com | flows | server_name:(dropbox.com, *.dropbox.com) direction:outbound |  | src.bytes by src.ip 10 | noted
uploads to dropbox.com by size | declined
largest outbound flows from the research vlan since monday | flows | direction:outbound vlan:Research bytes>=10MB | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
traffic spikes yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
all alerts of desk 3 from the last two days | incidents | device:"desk 3" or owner:"desk 3" | 2026-11-23T10:30 2026-11-25T10:30 |  | noted
alerts not older than 2 hours | incidents | -first_seen<-7200s |  |  | noted
incidents updated in the last hour | incidents |  | 2026-11-25T09:30 2026-11-25T10:30 |  | noted
incidents that started before yesterday and are still open | incidents | status:(open, investigating) | 1970-01-01T00:00 2026-11-23T23:00 |  | noted
incidents first seen on monday | incidents | first_seen:2026-11-22T23:00:00Z..2026-11-23T23:00:00Z
new incidents of high severity since 8 | declined
resolved false positives | declined
closed incidents of ada | incidents | status:(resolved, false_positive) (device:ada or owner:ada) |  |  | noted
incidents ada closed | declined
incidents assigned to ada or grace | incidents | assignee:(ada, grace)
incidents assigned to nobody with high score | declined
incidents with score 100 | incidents | score=100
incidents with at least score 75 | declined
incidents from detector scan | incidents | detector=scan |  |  | noted
scan incidents and beacon incidents | incidents | detector=scan or detector:(beacon, beacon-name) |  |  | noted
scans or beacons from the office today | incidents | (detector=scan or detector:(beacon, beacon-name)) vlan:Office | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
incidents other than scans | incidents | -detector=scan
no scans please, only beacons | declined
beacon incidents without a device name | incidents | detector:(beacon, beacon-name) -device:* |  |  | noted
mitre exfiltration techniques | incidents | detector=exfiltration technique:* |  |  | noted
t1048 | incidents | technique:T1048 |  |  | noted
incidents with technique t1048 or exfiltration | declined
which hosts are listed in threat intel | devices | intel:* |  |  | noted
threat intel matches for outbound dns | declined
blacklisted ips contacted by servers | flows | intel:* device.type:server |  |  | noted
is 188.173.32.149 malicious | flows | ip:188.173.32.149 intel:* |  |  | noted
is example.com bad | flows | (server_name:(example.com, *.example.com) or dns.query:(example.com, *.example.com)) intel:* |  |  | noted
what do we know about 188.173.32.149 | declined
where is 188.173.32.149 located | declined
owner of 10.10.3.73 | devices | device.ip:10.10.3.73 |  |  | noted
what type is 10.10.3.73 | declined
last seen of 10.10.3.73 | devices | device.ip:10.10.3.73 |  |  | noted
when was nashua last seen | devices | device:nashua or owner:nashua |  |  | noted
machines not seen for 3 days | devices | last_seen<-3d
machines seen today for the first time | devices | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z |  |  | noted
machines of it | devices |  |  |  | noted
devices of owner "IT (sample)" | devices | owner:"IT (sample)"
devices named desk | devices | device:desk
devices whose name starts with desk | declined
devices with the tag sample and no incidents | devices | tag=sample -severity:* |  |  | noted
devices tagged sample or critical | devices | tag=(sample, critical)
device type web server | declined
servers without a tag | devices | device.type:server -tag:*
domain controllers with failed logins | devices | device.type=domain_controller logon:failed |  |  | noted
routers with high risk | devices | device.type=router device.score>=40 |  |  | noted
devices with risk between 20 and 60 | devices | device.score:20..60
low risk devices | declined
tls 1.0 or ssl connections | declined
ssl connections with version 3.0 | declined
deprecated tls by device | flows | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) |  | bytes by device 10 | noted
certificates with subject example.com | declined
certs not issued by digicert | flows | certificate:* -certificate.issuer:digicert |  |  | noted
sni that contains update | declined
http without user agent | flows | service:http -user_agent:*
curl traffic | declined
user agents per device | declined
http get to 203.0.113.7 with status 200 | flows | http.method=GET dst.ip:203.0.113.7 http.status=200 |  |  | noted
http errors per server | flows | http.status>=400 |  | bytes by dst.ip 10 | noted
urls with login | declined
path /wp-login.php requests | flows | http.path:/wp-login.php |  |  | noted
txt queries larger than 500 bytes | flows | dns.type=TXT bytes>500B |  |  | noted
dns queries of type any | flows | dns.type:* |  |  | noted
aaaa lookups | declined
dns over https | flows | service:dns service:tls |  |  | noted
reverse lookups | declined
lookups for wpad | flows | (device:wpad or owner:wpad) dns.query:* |  |  | noted
kerberos failures of user svc-backup | flows | service:krb user:svc-backup logon:failed
ldap from guests | flows | service:ldap vlan:Guests |  |  | noted
file shares used by maria | flows | smb.file:* smb.share:* (device:maria or owner:maria) |  |  | noted
admin$ access today | declined
.exe files written to NASHUA | declined
who opened connections to smb from outside | devices | service:smb direction:inbound |  |  | noted
telnet sessions longer than 5 minutes from outside to routers | flows | service:telnet duration>5m direction:inbound device.type=router |  |  | noted
ftp uploads over 100 mb yesterday afternoon | flows | service:ftp src.bytes>100MB direction:outbound | 2026-11-24T11:00 2026-11-24T17:00 |  | noted
sip traffic not from voip phones | flows | service:sip -device.type=voip_phone |  |  | noted
modbus from anything but 10.0.5.2 | flows | service:modbus -src.ip:10.0.5.2 |  |  | noted
mqtt to port 1883 from cameras in vlan 30 | flows | service:mqtt dst.port:1883 device.type=camera vlan:30 |  |  | noted
iot devices talking to china or russia over port 443 | devices | device.type=iot dst.country:(CN, RU) dst.port:443 |  |  | noted
udp traffic above 100 mb to 8.8.8.8 | flows | proto=udp bytes>100MB dst.ip:8.8.8.8 |  |  | noted
icmp larger than 1000 bytes | flows | proto=icmp bytes>1kB |  |  | noted
tcp port 4444 or 5555 outbound | flows | proto=tcp dst.port:(4444, 5555) direction:outbound |  |  | noted
high ports outbound | declined
non-standard ssh port | declined
port 22 inbound except from 203.0.113.7 | flows | dst.port:22 direction:inbound -src.ip:203.0.113.7 |  |  | noted
traffic with the same source and destination | declined
traffic in vlan 20 or 30 | flows | vlan:(20, 30)
vlan hopping | flows | vlan:hopping |  |  | noted
flows without vlan | flows | -vlan:*
flows seen by zeek and suricata | flows | source:(zeek, suricata) |  |  | noted
sensor with the least traffic | declined
flows missing from netflow | declined
10.10.3.73 vs 10.10.4.50 | declined
last monday between 9 and 5 | flows |  | 2026-11-23T08:00 2026-11-23T16:00 |  | noted
on the 20th from 3pm till 4pm traffic of nashua | flows | device:nashua or owner:nashua | 2026-11-20T14:00 2026-11-20T15:00 |  | noted
past 3 days incidents | incidents |  | 2026-11-22T10:30 2026-11-25T10:30
this month so far | declined
november 3 to november 5 | declined
ssh yesterday or today | declined
incidents before 2026-11-20 | incidents |  | 1970-01-01T00:00 2026-11-19T23:00
in the evening of nov 23 | declined
30 minutes before now | declined
first hour of today | declined
how long have these incidents been open | declined
please explain incident | declined
patient room tablets that contacted facebook.com | declined
heart monitors sending data outside | declined
what is the printer on vlan 30 doing | flows | device.type=printer vlan:30 |  |  | noted
plc traffic with the internet | declined
traffic between printers and the internet | flows | device.type=printer direction:(inbound, outbound) |  |  | noted
who uses port 5900 in the training room | devices | dst.port:5900 device.vlan:"Training room" |  |  | noted
show the traffic the guests made yesterday evening | flows | vlan:Guests | 2026-11-24T17:00 2026-11-24T23:00 |  | noted
what were the guests doing yesterday at 8pm | flows | vlan:Guests | 2026-11-24T19:00 2026-11-24T19:30 |  | noted
guests that downloaded more than 5 gb today | flows | vlan:Guests dst.bytes>5GB | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
which guest downloaded the most today | flows | device:guest or owner:guest | 2026-11-24T23:00 2026-11-25T10:30 | dst.bytes by src.ip 10 | noted
office devices by upload today | declined
is anyone in the office mining | declined
any ssh brute force from inside today | incidents | service:ssh detector=brute-force direction:internal | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
brute force on ssh or rdp | incidents | detector=brute-force service:(ssh, rdp)
bruteforce attempts from 203.0.113.0/24 | incidents | detector=brute-force src.ip:203.0.113.0/24
are there scans going to port 445 | incidents | detector=scan dst.port:445
network scans by 10.0.0.5 | incidents | detector=scan src.ip:10.0.0.5
was there a scan of 10.0.0.9 | incidents | detector=scan ip:10.0.0.9
10.0.0.5 scanned 10.0.0.9 | incidents | src.ip:10.0.0.5 detector=scan dst.ip:10.0.0.9 |  |  | noted
10.0.0.9 was scanned | incidents | dst.ip:10.0.0.9 detector=scan |  |  | noted
did 10.0.0.5 beacon to somewhere | declined
beaconing outside working hours | declined
incidents in vlan servers with dns tunnel | incidents | vlan:Servers detector=dns-tunnel |  |  | noted
flood against 10.0.0.9 | incidents | detector=flood dst.ip:10.0.0.9
who is flooding us | devices | detector=flood |  |  | noted
spam bots | declined
data exfiltration over dns | incidents | detector=exfiltration service:dns
data leaks of more than 1 gb | incidents | detector=exfiltration bytes>1GB |  |  | noted
lateral movement with smb from NASHUA | incidents | detector=lateral-movement service:smb (device:nashua or owner:nashua) |  |  | noted
malicious traffic inside | flows | intel:* direction:internal
known bad domains looked up by guests | flows | intel:* vlan:Guests dns.query:* |  |  | noted
which known bad servers did we contact this month | flows | intel:* | 2026-10-31T23:00 2026-11-25T10:30 |  | noted
threat intelligence hits by device | flows | intel:* |  | bytes by device 10 | noted
alerts with category trojan | flows | alert.category:trojan
top alert categories | flows |  |  | count by alert.category 10
alerts by sensor | flows | alert:* |  | count by sensor 10 | noted
ids alerts per signature this week | flows | alert:* | 2026-11-22T23:00 2026-11-25T10:30 | count by alert 10
alerts of low severity | incidents | severity=low |  |  | noted
alerts from desk 1 and desk 2 | incidents | device:"desk 1" or owner:"desk 1" or device:"desk 2" or owner:"desk 2" |  |  | noted
critical and unassigned | incidents | severity=critical -assignee:* |  |  | noted
unassigned or open | declined
high severity and not assigned to me | incidents | severity>=high -assignee:me |  |  | noted
what is assigned to me and still open | incidents | assignee:me status:(open, investigating) |  |  | noted
how many incidents are assigned to me | incidents | assignee:me |  | count by  1
how many of my incidents are still open | incidents | assignee:me status:(open, investigating) |  | count by  1 | noted
which of my incidents are critical | incidents | assignee:me severity=critical |  |  | noted
my critical ones | declined
incidents with medium score | declined
older incidents | declined
all incidents ever | incidents
every incident on NASHUA since september | incidents | device:nashua or owner:nashua | 2026-08-31T22:00 2026-11-25T10:30 |  | noted
incidents of the last 24h without scans | incidents | -detector=scan | 2026-11-24T10:30 2026-11-25T10:30
incidents on the 23rd and 24th of november | declined
incidents between yesterday 6pm and today 6am | incidents |  | 2026-11-24T17:00 2026-11-25T05:00
failed logons from 8 to 9 today | flows | logon:failed | 2026-11-25T07:00 2026-11-25T08:00
failed logins between midnight and 6 | flows | logon:failed | 2026-11-24T23:00 2026-11-25T05:00
traffic after 6pm yesterday | flows |  | 2026-11-24T17:00 2026-11-25T10:30
traffic before 6am | flows |  | 2026-11-24T23:00 2026-11-25T05:00
traffic of 3 hours ago | flows |  | 2026-11-25T07:30 2026-11-25T08:30
connections 10 minutes ago | flows |  | 2026-11-25T10:20 2026-11-25T10:21
what happened an hour ago | flows |  | 2026-11-25T09:30 2026-11-25T10:30 |  | noted
last 15 min of 10.0.0.5 | flows | ip:10.0.0.5 | 2026-11-25T10:15 2026-11-25T10:30 |  | noted
the whole day yesterday | declined
the day before yesterday by country | flows |  | 2026-11-22T23:00 2026-11-23T23:00 | bytes by dst.country 10 | noted
tuesday's dns queries of desk 4 | flows | (device:"desk 4" or owner:"desk 4") dns.query:* | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
this monday morning | flows |  | 2026-11-23T05:00 2026-11-23T11:00 |  | noted
sunday night ssh | flows | service:ssh | 2026-11-22T19:00 2026-11-23T05:00
every connection to 38.229.70.33 longer than 30 minutes | flows | dst.ip:38.229.70.33 duration>30m
connections to 38.229.70.33 port 9001 | flows | dst.ip:38.229.70.33 dst.port:9001 |  |  | noted
connections on tcp/9001 | flows | proto=tcp dst.port:9001 |  |  | noted
udp/53 traffic of 10.0.0.5 | flows | proto=udp dst.port:53 ip:10.0.0.5 |  |  | noted
53/udp | declined
ip 10.0.0.5 and port 80 | flows | ip:10.0.0.5 dst.port:80 |  |  | noted
host 10.0.0.5 or host 10.0.0.6 | devices | device.ip:(10.0.0.5, 10.0.0.6) |  |  | noted
not host 10.0.0.5 | devices | -device.ip:10.0.0.5 |  |  | noted
src 10.0.0.5 dst 10.0.0.9 | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 |  |  | noted
source 10.0.0.5 | flows | src.ip:10.0.0.5 |  |  | noted
destination 10.0.0.9 port 443 | flows | dst.ip:10.0.0.9 dst.port:443 |  |  | noted
clients of 10.0.0.9 | devices | dst.ip:10.0.0.9 -device.ip:10.0.0.9 |  |  | noted
servers of 10.0.0.5 | devices | device.type:server ip:10.0.0.5 |  |  | noted
peers of 10.0.0.5 | declined
who does nashua talk to most | declined
what does nashua mostly use | declined
which services does nashua use | flows | device:nashua or owner:nashua |  | bytes by service 10 | noted
which ports does nashua use | flows | device:nashua or owner:nashua |  | count by dst.port 10 | noted
which protocols are used in the guests vlan | flows | vlan:Guests |  | bytes by proto 10 | noted
which domains did desk 2 look up today | flows | (device:"desk 2" or owner:"desk 2") dns.query:* | 2026-11-24T23:00 2026-11-25T10:30 | count by dns.query 10 | noted
which sites does desk 2 visit | flows | server_name:* (device:"desk 2" or owner:"desk 2") |  |  | noted
which countries does nashua send data to | flows | (device:nashua or owner:nashua) direction:outbound |  | src.bytes by dst.country 10 | noted
which devices send data to more than one country | declined
which users logged in to nashua | flows | (device:nashua or owner:nashua or server_name:*nashua*) logon:* |  | count by user 10 | noted
which servers did maria log in to | flows | device.type:server user:maria logon:* |  |  | noted
which vlan is 10.10.3.73 in | flows | ip:10.10.3.73 |  | bytes by vlan 10 | noted
which sensor saw 10.10.3.73 | declined
which devices belong to nobody | devices | -owner:*
which devices belong to sales and have high risk | devices | owner:sales device.score>=40 |  |  | noted
devices with unknown owner and open incidents | devices | -owner:* status:open
printers, cameras and phones | devices | device.type=(printer, camera, phone) |  |  | noted
printers and cameras with incidents | devices | device.type=(printer, camera) severity:* |  |  | noted
laptops or phones of maria | devices | device.type=(workstation, phone) (device:maria or owner:maria) |  |  | noted
devices that are neither printers nor cameras | declined
devices except printers | devices | -device.type=printer |  |  | noted
everything that is not a workstation | flows | -device.type=workstation |  |  | noted
new phones since last week | devices | first_seen:2026-11-15T23:00:00Z..2026-11-25T10:30:00Z device.type=phone
new devices without owner | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z -owner:* |  |  | noted
devices with incidents but without owner | devices | -owner:* severity:*
servers with unassigned critical incidents | devices | device.type:server -assignee:* severity=critical
most attacked servers | declined
servers with most alerts this week | incidents | device.type:server | 2026-11-22T23:00 2026-11-25T10:30 | count by device 10 | noted
`;
