// Questions that were written to check the grammar, after it had been made for others.

/** As `ASKED_PHRASINGS`. */
export const CHECKED_PHRASINGS = `
incidents between 2026-11-20 and 2026-11-22 | incidents |  | 2026-11-19T23:00 2026-11-22T23:00
what did SCRANTON do around 3pm yesterday | flows | device:scranton or owner:scranton | 2026-11-24T14:00 2026-11-24T14:30 |  | noted
flows of the last two days without dns | flows | -service:dns | 2026-11-23T10:30 2026-11-25T10:30
traffic from 2 to 4 pm yesterday | flows |  | 2026-11-24T13:00 2026-11-24T15:00
incidents on friday night | incidents |  | 2026-11-20T19:00 2026-11-21T05:00
connections until yesterday | flows |  | 2026-10-24T23:00 2026-11-24T23:00 |  | noted
everything after 2026-11-24 | flows |  | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
dns in the first hour of today | declined
traffic since desk 3 appeared | declined
how long was Desk 3 connected to 8.8.8.8 | declined
devices not in the office vlan | devices | -device.vlan:Office
clients which don't use tls | devices | -service:tls |  |  | noted
nobody contacted 1.2.3.4, right? | declined
incidents except beaconing | incidents | -detector:(beacon, beacon-name)
no alerts from suricata | declined
high incidents that nobody took | incidents | severity>=high -assignee:* |  |  | noted
sent less than 1 kB but received more than 1 GB | declined
over 9000 packets to port 80 | flows | packets>9000 dst.port:80 |  |  | noted
more uploads than downloads | declined
less than a minute | flows | duration<1m |  |  | noted
how many users failed to log in today | flows | logon:failed | 2026-11-24T23:00 2026-11-25T10:30 | count by user 100 | noted
how many different countries | flows |  |  | bytes by dst.country 100 | noted
sum of uploads by country | declined
which vlan has the most traffic | flows |  |  | bytes by vlan 10 | noted
most active user | flows |  |  | count by user 10 | noted
Office router incidents | incidents | vlan:Office device.type=router |  |  | noted
Laboratory resolver's queries yesterday | declined
is NASHUA infected | declined
NASHUA SCRANTON smb | flows | (device:nashua or owner:nashua) (device:scranton or owner:scranton) service:smb |  |  | noted
who else talked to 188.173.32.149 | devices | dst.ip:188.173.32.149 |  |  | noted
devices managed by IT | devices | owner:IT
possible c2 | declined
intrusions this week | declined
scan of port 445 | incidents | detector=scan dst.port:445 |  |  | noted
new detections since lunch | declined
medium alerts and higher | incidents | severity>=medium |  |  | noted
informational alerts | incidents | severity=info |  |  | noted
only critical and open | declined
assigned to nobody | incidents | -assignee:*
my resolved incidents last month | incidents | status:resolved assignee:me | 2026-09-30T22:00 2026-10-31T23:00 |  | noted
what was assigned to me yesterday | incidents | assignee:me | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
quic or tls to google.com | flows | service:(quic, tls) server_name:(google.com, *.google.com) |  |  | noted
sip calls | flows | service:sip |  |  | noted
port 22 and 23 inbound | flows | dst.port:(22, 23) direction:inbound |  |  | noted
public ip addresses contacted by cameras | flows | direction:outbound device.type=camera |  |  | noted
traffic within the guests vlan | declined
from ukraine to the servers vlan | flows | src.country:UA vlan:Servers |  |  | noted
pdf files | declined
certificate issuer DigiCert | flows | certificate.issuer:DigiCert
user root from 10.0.0.9 | flows | user:root src.ip:10.0.0.9 |  |  | noted
please show me what the printers did this weekend | flows | device.type=printer | 2026-11-20T23:00 2026-11-22T23:00 |  | noted
give me all the smb stuff from last night | flows | service:smb | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
any idea who downloaded 5 GB yesterday | declined
which machine was the first to contact 203.0.113.5 | declined
the traffic of 10.0.1.4 in the hour before noon | declined
did somebody log in as root from the internet this week | devices | user:root direction:inbound logon:* | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
how many megabytes did Desk 3 upload today | flows | (device:"desk 3" or owner:"desk 3") direction:outbound | 2026-11-24T23:00 2026-11-25T10:30 | src.bytes by  1 | noted
i look for connections to port 445 from guests | declined
show devices which made dns queries for evil.com but not for good.com | devices | dns.query:(evil.com, *.evil.com) -dns.query:(good.com, *.good.com) |  |  | noted
everyone who talked to china except the servers | declined
all tls connections with certificate of google | flows | service:tls certificate:* server_name:*google* |  |  | noted
incidents of Desk 1 and Desk 2 that are still open | incidents | (device:"desk 1" or owner:"desk 1" or device:"desk 2" or owner:"desk 2") status:(open, investigating) |  |  | noted
give critical ones first | declined
what are my open tasks | declined
alerts assigned to ada since last week | incidents | assignee:ada | 2026-11-15T23:00 2026-11-25T10:30 |  | noted
unresolved critical alerts older than a day | incidents | status:(open, investigating) severity=critical first_seen<-1d |  |  | noted
anything on port 4444? | flows | dst.port:4444 |  |  | noted
have we seen 1.2.3.4 before | declined
is 10.10.3.73 doing something strange | incidents | ip:10.10.3.73 |  |  | noted
does any camera upload data | flows | device.type=camera direction:outbound |  |  | noted
connections longer than three hours with less than 1 MB | flows | duration>3h bytes<1MB |  |  | noted
which countries got more than 1 GB from us | declined
top 5 ports scanned | flows | detector=scan |  | count by dst.port 5 | noted
top destinations of Desk 4 by bytes | flows | device:"desk 4" or owner:"desk 4" |  | bytes by dst.ip 10 | noted
flows per minute | declined
traffic by direction last week | flows |  | 2026-11-15T23:00 2026-11-22T23:00 | bytes by direction 10
average session duration | declined
no incidents since monday? | declined
devices without a name | devices | -device:*
machines that only use dns | declined
the vlan of 10.0.0.4 | flows | vlan:* ip:10.0.0.4 |  |  | noted
servers in the servers vlan | devices | device.type:server device.vlan:Servers
new hosts in vlan Guests since yesterday | devices | first_seen:2026-11-23T23:00:00Z..2026-11-25T10:30:00Z device.vlan:Guests
traffic between office and servers | flows | device.vlan:Office device.vlan:Servers |  |  | noted
traffic between guests and the internet | flows | vlan:Guests direction:(inbound, outbound) |  |  | noted
who sent mail from the training room | devices | service:smtp device.vlan:"Training room" |  |  | noted
http requests to example.com/login | declined
requests for /admin | declined
connections where the server name is facebook.com | flows | server_name:facebook.com |  |  | noted
sni contains google | flows | server_name:*google* |  |  | noted
sha1 certificates | flows | sha1 certificate:* |  |  | noted
kerberos tickets of administrator | flows | service:krb (device:administrator or owner:administrator) |  |  | noted
smb logins that failed on SCRANTON | flows | service:smb (device:scranton or owner:scranton) logon:failed |  |  | noted
ssh brute force yesterday | incidents | service:ssh detector=brute-force | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
beacon score above 70 | incidents | detector:(beacon, beacon-name) score>70
incidents with more than one device | declined
devices with the tag office and without owner | devices | tag=office -owner:* |  |  | noted
first seen before november | devices | first_seen:1970-01-01T00:00:00Z..2026-10-31T23:00:00Z |  |  | noted
last seen yesterday | devices | last_seen:2026-11-23T23:00:00Z..2026-11-24T23:00:00Z |  |  | noted
ended connections | declined
which hosts did the dns server talk to yesterday | flows | device.type=dns_server | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
what do cameras send to the internet | flows | device.type=camera direction:outbound |  |  | noted
traffic SCRANTON sent today | flows | (device:scranton or owner:scranton) direction:outbound | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
how many times did maria log in this week | flows | user:maria logon:* | 2026-11-22T23:00 2026-11-25T10:30 | count by  1 | noted
number of countries contacted by Desk 2 | flows | device:"desk 2" or owner:"desk 2" |  | bytes by dst.country 100 | noted
show the incidents of the domain controller since sunday | incidents | device.type=domain_controller | 2026-11-21T23:00 2026-11-25T10:30
who had failed logins between 1am and 5am | devices | logon:failed | 2026-11-25T00:00 2026-11-25T04:00 |  | noted
was there something critical over the weekend | incidents | severity=critical | 2026-11-20T23:00 2026-11-22T23:00
are any incidents still unassigned | incidents | -assignee:* |  |  | noted
which of my incidents are critical | incidents | assignee:me severity=critical |  |  | noted
incidents assigned to me or ada | declined
incidents not assigned to me | incidents | -assignee:me
flows not from 10.0.0.0/8 to port 22 | flows | -src.ip:10.0.0.0/8 dst.port:22
rdp neither from 10.0.0.5 nor 10.0.0.6 | declined
ssh from anywhere except the office vlan | flows | service:ssh -vlan:Office |  |  | noted
dns requests without an answer | declined
not resolved names yesterday | flows | dns.rcode=NXDOMAIN | 2026-11-23T23:00 2026-11-24T23:00
unsuccessful kerberos logins on the domain controller | flows | service:krb device.type=domain_controller logon:failed |  |  | noted
login failures for user admin from outside | flows | logon:failed user:admin direction:inbound |  |  | noted
smb traffic of printers with servers | flows | service:smb device.type=printer device.type:server |  |  | noted
phones in vlan 40 | devices | device.type=phone device.vlan:40
desktops which were not seen for a week | devices | device.type=workstation last_seen<-7d |  |  | noted
devices seen only once | declined
new cameras | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z device.type=camera |  |  | noted
which new devices talked to the internet | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z direction:outbound |  |  | noted
newly discovered devices in the office vlan today | declined
most scanned devices | declined
scans per day last week | incidents | detector=scan | 2026-11-15T23:00 2026-11-22T23:00 | count by  1 1d | noted
which detector found the most incidents | incidents |  |  | count by detector 10 | noted
incidents per device | incidents |  |  | count by device 10
alerts per signature | flows | alert:* |  | count by alert 10
alerts by category | flows | alert:* |  | count by alert.category 10
top 10 ids alerts of yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | count by alert 10
suricata alerts for 10.0.0.5 yesterday morning | flows | alert:* ip:10.0.0.5 | 2026-11-24T05:00 2026-11-24T11:00
alert 2024897 | declined
alerts with the word trojan | declined
everything with malware in the title | incidents | title:malware title:* |  |  | noted
incidents called beaconing | incidents | title:beaconing
incident about SCRANTON and NASHUA | incidents | device:scranton or owner:scranton or device:nashua or owner:nashua |  |  | noted
port 445 scans from 10.0.1.4 | incidents | dst.port:445 detector=scan src.ip:10.0.1.4 |  |  | noted
beacons to AS9009 | incidents | detector:(beacon, beacon-name) dst.asn:AS9009
beaconing to romania over https | incidents | detector:(beacon, beacon-name) dst.country:RO service:tls
exfiltration of more than 100 MB | incidents | detector=exfiltration bytes>100MB |  |  | noted
brute force with successful login | incidents | detector=brute-force logon:succeeded
uploads to mega.nz or dropbox.com larger than 10 MB | flows | server_name:(mega.nz, *.mega.nz, dropbox.com, *.dropbox.com) src.bytes>10MB direction:outbound |  |  | noted
who uploads to cloud storage | declined
largest flows between Desk 1 and Desk 2 | flows | (device:"desk 1" or owner:"desk 1") (device:"desk 2" or owner:"desk 2") bytes>=10MB |  |  | noted
smallest flow today | declined
flows with less than 5 packets to port 23 | flows | packets<5 dst.port:23
flows with 0 bytes | declined
zero byte flows | declined
flows of 60 seconds | declined
traffic that lasted two hours or longer | flows | duration>=2h |  |  | noted
connections open for days | declined
udp 123 traffic | flows | proto=udp dst.port:123 |  |  | noted
port 8000 to 9000 | flows | dst.port:8000..9000 |  |  | noted
tcp ports 135, 139 and 445 between workstations | declined
web traffic on port 8443 | flows | service:(http, tls) dst.port:8443 |  |  | noted
http without user agent | flows | service:http -user_agent:*
requests with status 500 from guests | flows | http.status=500 vlan:Guests |  |  | noted
POST to /login | declined
get requests to 203.0.113.0/24 | flows | http.method=GET dst.ip:203.0.113.0/24
certificate of 198.51.100.7 | flows | certificate:* ip:198.51.100.7 |  |  | noted
certificates that are self-signed | incidents | certificate:* title:self-signed |  |  | noted
tls versions used by printers | declined
tls below 1.2 | flows | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1)
hosts with sslv3 | devices | tls.version:"SSL 3.0" |  |  | noted
who still uses telnet or ftp | devices | service:(telnet, ftp) |  |  | noted
anonymous ftp logins | declined
ja4 t13d1516h2_8daaf6152771_b186095e22b6 | flows | ja4:t13d1516h2_8daaf6152771_b186095e22b6
community id 1:wCb3OG7yAFWelaUydu0D+125CLM= | declined
files with .docm over smb | flows | smb.file:.docm service:smb |  |  | noted
admin shares | flows | smb.share:admin |  |  | noted
share named public on NASHUA | flows | smb.share:public (device:nashua or owner:nashua) |  |  | noted
logins of accounts other than admin | declined
users on NASHUA | flows | device:nashua or owner:nashua |  | count by user 10 | noted
user SYSTEM | flows | user:SYSTEM |  |  | noted
owner Management | devices | owner:Management
devices belonging to Operations | devices | owner:Operations
tagged critical but not owned | devices | tag=critical -owner:* |  |  | noted
devices with risk over 50 in the servers vlan | devices | device.score>50 device.vlan:Servers
riskiest devices | devices | device.score>=40 |  |  | noted
high risk servers | devices | device.score>=40 device.type:server |  |  | noted
which printers have open incidents | devices | device.type=printer status:open
devices with more traffic than Desk 1 | declined
is 10.0.0.5 ours | flows | ip:10.0.0.5 |  |  | noted
do we know 10.0.0.99 | declined
what is on port 9001 | flows | dst.port:9001 |  |  | noted
who runs a web server | declined
ipv6 dns servers | devices | ip:"::/0" device.type=dns_server |  |  | noted
last activity of SCRANTON | declined
when did NASHUA last talk to SCRANTON | flows | (device:nashua or owner:nashua) (device:scranton or owner:scranton or server_name:*scranton*) | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
first contact with 188.173.32.149 | declined
traffic in the past quarter of an hour | declined
since the start of the week | declined
until last friday | flows |  | 2026-10-20T23:00 2026-11-20T23:00 |  | noted
11/24/2026 | declined
24.11.2026 | flows |  | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
yesterday 9 to 10 | declined
9-17h today | flows | 9-17h | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
what happened on NASHUA between 10 and 11 yesterday | flows | device:nashua or owner:nashua | 2026-11-24T09:00 2026-11-24T10:00 |  | noted
show everything the training machine did on thursday | declined
all dns lookups that SCRANTON made this morning | flows | (device:scranton or owner:scranton) dns.query:* | 2026-11-25T05:00 2026-11-25T10:30 |  | noted
did any laptop upload more than 500 MB last night | flows | device.type=workstation src.bytes>500MB direction:outbound | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
traffic from the office network to china this week | flows | vlan:Office dst.country:CN | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
who from the guests vlan used ssh | devices | device.vlan:Guests service:ssh |  |  | noted
how many new incidents since midnight | incidents | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z |  | count by  1
list alerts with severity at least medium from today | incidents | severity>=medium | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
which critical incidents are not assigned | incidents | severity=critical -assignee:*
incidents I have not closed | declined
high severity beaconing | incidents | severity>=high detector:(beacon, beacon-name) |  |  | noted
number of alerts per day this week | incidents |  | 2026-11-22T23:00 2026-11-25T10:30 | count by  1 1d | noted
open incidents by assignee | incidents | status:open |  | count by assignee 10
who is assigned the most incidents | declined
the ten biggest connections today | declined
connections over 1 GB except from Desk 4 | flows | bytes>1GB not (device:"desk 4" or owner:"desk 4") |  |  | noted
flows lasting between 1 and 2 hours | flows | duration:1h..2h |  |  | noted
traffic without an answer | declined
inbound smb | flows | direction:inbound service:smb
any rdp from russia? | flows | service:rdp src.country:RU
web traffic of cameras | flows | service:(http, tls) device.type=camera
dns not to our dns server | flows | service:dns -device.type=dns_server |  |  | noted
requests to port 53 not from the domain controller | flows | dst.port:53 -device.type=domain_controller |  |  | noted
tls 1.3 traffic to google.com | flows | tls.version:1.3 server_name:(google.com, *.google.com)
http only | flows | service:http |  |  | noted
connections using ipv6 | flows | ip:"::/0"
udp traffic to port 161 | flows | proto=udp dst.port:161
which services run on 10.0.0.4 | flows | dst.ip:10.0.0.4 |  | count by service 10 | noted
open ports of NASHUA | flows | device:nashua or owner:nashua |  | count by dst.port 10 | noted
clients of the file server | flows | device.type=file_server |  |  | noted
which users used kerberos yesterday | flows | service:krb | 2026-11-23T23:00 2026-11-24T23:00 | count by user 10 | noted
admin logins outside of business hours | declined
logins from china | flows | src.country:CN logon:*
failed and successful logins of admin | declined
files called payroll | flows | smb.file:payroll
access to the share finance | flows | smb.share:finance |  |  | noted
user agents used by Desk 1 | flows | device:"desk 1" or owner:"desk 1" |  | count by user_agent 10 | noted
which certificates does example.com use | flows | certificate:* (server_name:(example.com, *.example.com) or dns.query:(example.com, *.example.com)) |  |  | noted
issuer contains Microsoft | flows | certificate.issuer:Microsoft
domains ending in .ru | flows | server_name:*.ru or dns.query:*.ru |  |  | noted
names with more than 50 characters | declined
lookups of wpad | flows | (device:wpad or owner:wpad) dns.query:* |  |  | noted
txt queries by guests | flows | dns.type=TXT vlan:Guests |  |  | noted
devices in more than one vlan | declined
devices whose owner is Maria | devices | owner:Maria |  |  | noted
laptops without owner in the office | devices | device.type=workstation -owner:* device.vlan:Office |  |  | noted
printers and cameras in vlan 10 | devices | device.type=(printer, camera) device.vlan:10 |  |  | noted
hosts with score 0 | devices | device.score=0
quiet hosts | declined
last week compared to this week | declined
show connections of Desk 1 yesterday afternoon | flows | device:"desk 1" or owner:"desk 1" | 2026-11-24T11:00 2026-11-24T17:00 |  | noted
which machine downloads most from the internet | flows | direction:outbound |  | dst.bytes by src.ip 10 | noted
is somebody using tor | devices | device:tor or owner:tor |  |  | noted
ssh sessions to SCRANTON since yesterday 6pm | flows | service:ssh (device:scranton or owner:scranton or server_name:*scranton*) | 2026-11-24T17:00 2026-11-25T10:30 |  | noted
telnet from the guests network in the last week | flows | service:telnet vlan:Guests | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
list all devices that never had an incident | devices | -severity:* |  |  | noted
devices that appeared yesterday evening | devices | first_seen:2026-11-24T17:00:00Z..2026-11-24T23:00:00Z |  |  | noted
show top 10 countries by uploads this month | flows |  | 2026-10-31T23:00 2026-11-25T10:30 | src.bytes by dst.country 10 | noted
how many bytes were sent to china last week | flows | dst.country:CN direction:outbound | 2026-11-15T23:00 2026-11-22T23:00 | src.bytes by  1 | noted
which accounts logged in from outside | flows | direction:inbound logon:* |  | count by user 10 | noted
Which accounts logged in from abroad? | flows | direction:inbound logon:* |  | count by user 10 | noted
Which users logged on to the domain controller from outside? | flows | device.type=domain_controller direction:inbound logon:* |  | count by user 10 | noted
which users logged on from outside yesterday | flows | direction:inbound logon:* | 2026-11-23T23:00 2026-11-24T23:00 | count by user 10 | noted
incidents about dns | incidents | service:dns
incidents that involve the domain controller and are open | incidents | device.type=domain_controller status:open |  |  | noted
false positives of last month by ada | incidents | status:false_positive assignee:ada | 2026-09-30T22:00 2026-10-31T23:00 |  | noted
critical or high alerts of printers | incidents | severity:(critical, high) device.type=printer |  |  | noted
all closed cases from october | incidents | status:(resolved, false_positive) | 2026-09-30T22:00 2026-10-31T23:00 |  | noted
what did the laboratory resolver look up today | declined
traffic over port 443 that is not tls | flows | dst.port:443 -service:tls |  |  | noted
connections to port 22 or 3389 from outside | flows | dst.port:(22, 3389) direction:inbound
connections without a vlan | flows | -vlan:*
sessions over an hour to romania | flows | duration>1h dst.country:RO |  |  | noted
biggest downloads by NASHUA | flows | (device:nashua or owner:nashua) dst.bytes>=10MB |  |  | noted
traffic from 10.0.1.4 to anything except 10.0.0.4 | flows | src.ip:10.0.1.4 -dst.ip:10.0.0.4 |  |  | noted
does 10.0.1.6 use smb | flows | src.ip:10.0.1.6 service:smb |  |  | noted
which domain names were not found today | declined
mail from SCRANTON to outside | flows | service:smtp (device:scranton or owner:scranton) direction:outbound |  |  | noted
which servers have a critical tag | devices | device.type:server severity=critical tag:* |  |  | noted
devices tagged training or laboratory | devices | tag=(training, laboratory)
guests with incidents | incidents | vlan:Guests |  |  | noted
the riskiest server | devices | device.score>=40 device.type:server |  |  | noted
devices that belong to IT | devices | owner:IT
which alerts came from suricata | incidents | source:suricata |  |  | noted
signature hits on the guests vlan | flows | alert:* vlan:Guests
trojan traffic last night | flows | title:malware | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
beacons that are still open | incidents | detector:(beacon, beacon-name) status:(open, investigating)
scan attempts against the servers vlan | incidents | detector=scan vlan:Servers |  |  | noted
brute force on SCRANTON | incidents | detector=brute-force (device:scranton or owner:scranton) |  |  | noted
data leaks yesterday | incidents | detector=exfiltration | 2026-11-23T23:00 2026-11-24T23:00
dns tunnels from 10.77.0.14 | incidents | detector=dns-tunnel src.ip:10.77.0.14
generated domains queried by guests | flows | detector=dga vlan:Guests dns.query:* |  |  | noted
certificate problems this week | incidents | detector=certificate | 2026-11-22T23:00 2026-11-25T10:30
http posts from cameras | flows | http.method=POST device.type=camera |  |  | noted
downloads of exe files | flows | (device:exe or owner:exe) smb.file:* |  |  | noted
python user agents | flows | user_agent:python |  |  | noted
files with "secret" in the name | declined
logons of service accounts | declined
traffic at 3 am | flows |  | 2026-11-25T02:00 2026-11-25T02:30 |  | noted
everything after 10pm on friday | flows |  | 2026-11-20T21:00 2026-11-25T10:30 |  | noted
the last 3 hours without internal traffic | flows | -direction:internal | 2026-11-25T07:30 2026-11-25T10:30 |  | noted
november's incidents | incidents |  | 2026-10-31T23:00 2026-11-25T10:30
incidents in the first half of november | declined
hello, which devices sent data to romania yesterday? | devices | dst.country:RO direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
i would like to see ssh connections of NASHUA | flows | service:ssh (device:nashua or owner:nashua) |  |  | noted
pls list critical incidents from today | incidents | severity=critical | 2026-11-24T23:00 2026-11-25T10:30
show me the traffic please from Desk 1 to Desk 2 | flows | (device:"desk 1" or owner:"desk 1") (device:"desk 2" or owner:"desk 2") |  |  | noted
can you give me all the telnet sessions | flows | service:telnet |  |  | noted
is there traffic to known bad hosts | flows | intel:* |  |  | noted
how is 10.0.1.4 connected to 10.0.0.4 | declined
did anything talk to 188.173.32.149 after midnight | flows | dst.ip:188.173.32.149 | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
who communicates with as15169 today | devices | dst.asn:AS15169 | 2026-11-24T23:00 2026-11-25T10:30
everything 10.0.1.6 sent to outside yesterday | flows | src.ip:10.0.1.6 direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
connections which come from 172.16.253.129 | flows | src.ip:172.16.253.129 |  |  | noted
connections going out from the servers vlan | flows | direction:outbound vlan:Servers
flows to 10.0.0.0/24 except dns and ntp | flows | dst.ip:10.0.0.0/24 -service:(dns, ntp) |  |  | noted
no http but https from Desk 1 | declined
tcp not to port 443 or 80 | flows | proto=tcp -dst.port:(443, 80)
flows with neither alerts nor anomalies | declined
incidents without an assignee and with high severity | incidents | -assignee:* severity>=high |  |  | noted
incidents that are neither resolved nor false positives | declined
devices with an owner but without tags | devices | owner:* -tag:*
devices not talking to the internet | devices | -direction:outbound |  |  | noted
printers that never printed | devices | device.type=printer -device.type=printer |  |  | noted
hosts that did not resolve anything today | declined
devices that were first seen today and contacted russia | devices | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z dst.country:RU |  |  | noted
devices first seen this week in the guests vlan | devices | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z device.vlan:Guests
device types | devices | device.type:* |  |  | noted
types of devices in the office | devices | device.type:* device.vlan:Office |  |  | noted
list of owners | devices | owner:* |  |  | noted
list all tags | devices | tag:* |  |  | noted
which detectors exist | incidents |  |  | count by detector 10 | noted
what kinds of incidents are there | declined
severity of incident about SCRANTON | declined
latest incident of Desk 1 | incidents | device:"desk 1" or owner:"desk 1" |  |  | noted
newest devices | declined
first 10 flows of today | declined
longest session of SCRANTON | flows | (device:scranton or owner:scranton) duration>=1h |  |  | noted
average score of incidents | declined
highest scores | declined
incidents above 60 | declined
score 80 to 90 | declined
incidents of score at least 90 that are open | incidents | score>=90 status:open |  |  | noted
more than 3 failed logins | declined
failed logins 10 times | declined
failed logins on smb by administrator yesterday | flows | logon:failed service:smb user:administrator | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
successful kerberos logins of SCRANTON$ | declined
who is logged in on NASHUA | flows | (device:nashua or owner:nashua) logon:* |  |  | noted
login of maria on SCRANTON | flows | user:maria (device:scranton or owner:scranton) logon:* |  |  | noted
accounts with failed logins | flows | logon:failed |  | count by user 10 | noted
top accounts by log-ons today | flows | logon:* | 2026-11-24T23:00 2026-11-25T10:30 | count by user 10
password changes | declined
logoffs | declined
sessions of user bob over ssh | flows | user:bob service:ssh |  |  | noted
file transfers over 1 GB | flows | bytes>1GB
ftp uploads to 10.0.0.9 | flows | service:ftp dst.ip:10.0.0.9 |  |  | noted
smb writes | declined
files ending with .exe | declined
executable downloads | declined
share C$ on the domain controller | flows | smb.share:C$ device.type=domain_controller |  |  | noted
http downloads from russia | flows | service:http dst.country:RU |  |  | noted
http hosts visited by guests | flows | http.host:* vlan:Guests |  |  | noted
urls with /wp-login.php | flows | http.path:/wp-login.php
path /admin | flows | http.path:/admin
user agent is empty | flows | -user_agent:*
old browsers | declined
tls with unknown server name | flows | service:tls -server_name:*
server name example.com | flows | server_name:example.com |  |  | noted
sni www.google.com | flows | server_name:www.google.com |  |  | noted
ja3s ec74a5c51106f0419184d0dd08fb05bc | flows | ja3s:ec74a5c51106f0419184d0dd08fb05bc
hassh ec7378c1a92f5a8dde7e8b7a1ddf33d1 | flows | hassh:ec7378c1a92f5a8dde7e8b7a1ddf33d1
certificates of letsencrypt | flows | certificate:* (device:letsencrypt or owner:letsencrypt) |  |  | noted
wildcard certificates | declined
dns answers with 10.0.0.4 | flows | dns.answer:10.0.0.4
dns servers used by Desk 1 | flows | device.type=dns_server (device:"desk 1" or owner:"desk 1") |  |  | noted
dns txt records over 200 bytes | flows | service:dns dns.type=TXT bytes>200B |  |  | noted
dns queries of type MX | flows | dns.type:MX
reverse lookups | declined
names resolved by the domain controller | flows | device.type=domain_controller dns.query:* |  |  | noted
domains contacted only once | declined
connections without dns lookup | declined
nxdomain by device | flows | dns.rcode=NXDOMAIN |  | count by device 10 | noted
scan by 10.0.1.4 yesterday | incidents | detector=scan src.ip:10.0.1.4 | 2026-11-23T23:00 2026-11-24T23:00
vertical scans | declined
syn flood | declined
alerts in category trojan | flows | alert.category:trojan
top categories | flows |  |  | count by alert.category 10 | noted
alerts on port 445 | incidents | dst.port:445 |  |  | noted
alerts of signature 2024897 | flows | alert.id=2024897
alerts for country RO | declined
anomalies of zeek | flows | anomaly:* source:zeek
tls anomalies | flows | service:tls anomaly:*
traffic seen by both sensors | declined
traffic seen by suricata but not by zeek | flows | source:suricata -source:zeek
netflow only | flows | source:netflow |  |  | noted
sensor eve-1 | flows | sensor:eve-1 |  |  | noted
coverage of the guests vlan | declined
vlan Office traffic by hour today | flows | vlan:Office | 2026-11-24T23:00 2026-11-25T10:30 | bytes by  1 1h
traffic volume of vlan 20 last week | flows | vlan:20 | 2026-11-15T23:00 2026-11-22T23:00 | bytes by  1 | noted
biggest vlans | flows |  |  | bytes by vlan 10
devices by vlan and type | declined
incidents by severity and status | declined
traffic by country and service | declined
weekend traffic | flows |  | 2026-11-20T23:00 2026-11-22T23:00
Which of our devices talk to Russia? | devices | dst.country:RU |  |  | noted
Show the latest 24 hours of traffic from SCRANTON. | flows | device:scranton or owner:scranton | 2026-11-24T10:30 2026-11-25T10:30 |  | noted
What are the top five talkers of the training room this week? | flows | vlan:"Training room" | 2026-11-22T23:00 2026-11-25T10:30 | bytes by src.ip 5 | noted
Did NASHUA send more than 50 MB to the internet yesterday? | flows | (device:nashua or owner:nashua) src.bytes>50MB direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
Which machines had failed logins last night? | devices | logon:failed | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
List incidents of high severity that are still open. | incidents | severity>=high status:(open, investigating) |  |  | noted
Who opened connections to port 3389 today? | devices | dst.port:3389 | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
Show me DNS queries for dropbox.com from the office. | flows | dns.query:(dropbox.com, *.dropbox.com) vlan:Office |  |  | noted
How many devices appeared this month? | devices | first_seen:2026-10-31T23:00:00Z..2026-11-25T10:30:00Z |  | count by  1
Is there any telnet in the network? | flows | service:telnet
What did the camera contact last night? | flows | device.type=camera | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
Which devices have been beaconing since Monday? | devices | detector:(beacon, beacon-name) | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
Give me the alerts about 10.10.3.73. | incidents | ip:10.10.3.73 |  |  | noted
Which user logged on to the domain controller this morning? | flows | device.type=domain_controller logon:* | 2026-11-25T05:00 2026-11-25T10:30 | count by user 10 | noted
Where did most of the traffic go yesterday? | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by dst.ip 10 | noted
All outgoing SMB. | flows | direction:outbound service:smb
Any SMB going to the internet? | flows | service:smb direction:outbound
Which devices use TLS 1.0 in the servers VLAN? | devices | tls.version:1.0 device.vlan:Servers |  |  | noted
Devices of Sales with open incidents | devices | (device:sales or owner:sales) status:open |  |  | noted
How much traffic went through port 9001? | flows | dst.port:9001 |  | bytes by  1 | noted
Everything to and from 188.173.32.149 | flows | ip:188.173.32.149
Connections between NASHUA and 188.173.32.149 | flows | (device:nashua or owner:nashua) ip:188.173.32.149 |  |  | noted
Connections of SCRANTON or NASHUA to romania | flows | (device:scranton or owner:scranton or device:nashua or owner:nashua) dst.country:RO |  |  | noted
Traffic from the training room to the test laboratory | flows | device.vlan:"Training room" device.vlan:"Test laboratory" |  |  | noted
Incidents with more than 90 score | declined
Incidents where SCRANTON is involved | incidents | device:scranton or owner:scranton |  |  | noted
Incidents closed by ada last week | incidents | status:(resolved, false_positive) assignee:ada | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
Which incidents did ada resolve? | declined
Show me what I have to do | declined
My high severity work | declined
What is unassigned? | incidents | -assignee:*
Uploads by country today | flows | direction:outbound | 2026-11-24T23:00 2026-11-25T10:30 | src.bytes by dst.country 10 | noted
Uploads per user | flows | direction:outbound |  | src.bytes by user 10 | noted
The largest upload today | flows | direction:outbound | 2026-11-24T23:00 2026-11-25T10:30 | src.bytes by src.ip 10 | noted
Any uploads to unknown countries? | declined
Devices that downloaded more than 1 GB this week | devices | dst.bytes>1GB | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
Downloads from github.com by workstations | flows | server_name:(github.com, *.github.com) device.type=workstation |  |  | noted
User agents containing powershell | flows | user_agent:powershell |  |  | noted
HTTP requests with status code above 399 yesterday | flows | service:http http.status>399 | 2026-11-23T23:00 2026-11-24T23:00
Requests to /etc/passwd | declined
SSH servers in the network | devices | service:ssh device.type:server |  |  | noted
New SSH servers | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z service:ssh device.type:server |  |  | noted
DNS servers outside | declined
Connections to DNS servers that are not ours | declined
LDAP from the guests | flows | service:ldap vlan:Guests |  |  | noted
Kerberos failures by user | flows | service:krb logon:failed |  | count by user 10 | noted
Login failures per device this week | flows | logon:failed | 2026-11-22T23:00 2026-11-25T10:30 | count by device 10 | noted
Suspicious certificates on the internet | incidents | detector=certificate direction:outbound
Port scans from the test laboratory | incidents | detector=scan vlan:"Test laboratory" |  |  | noted
What changed since yesterday | declined
`;
