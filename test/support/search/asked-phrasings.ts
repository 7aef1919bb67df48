// Questions as people asked them who had not read the grammar, on Wednesday 2026-11-25 at 11:30 in Berlin.

/** `question | kind | filter | window in UTC | ranking | noted`, or `question | declined`; empty ends are left out. */
export const ASKED_PHRASINGS = `
my open incidents | incidents | status:open assignee:me
who uploaded the most | flows | direction:outbound |  | src.bytes by src.ip 10 | noted
how much data did 10.0.0.5 send to 10.0.0.9 | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 |  | src.bytes by  1 | noted
how much data did SCRANTON send to NASHUA | flows | (device:scranton or owner:scranton) (device:nashua or owner:nashua or server_name:*nashua*) |  | src.bytes by  1 | noted
guests' dns traffic | flows | vlan:Guests service:dns |  |  | noted
devices in the office vlan | devices | device.vlan:Office
traffic in the guests vlan | flows | vlan:Guests
everything from Desk 3 yesterday | flows | device:"desk 3" or owner:"desk 3" | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
show me Desk 3 | devices | device:"desk 3" or owner:"desk 3" |  |  | noted
alerts on the 26th | incidents |  | 2026-10-25T23:00 2026-10-26T23:00 |  | noted
at night | declined
ssh at night | declined
which printer talked to the internet at night | declined
until noon | flows |  | 2026-11-23T23:00 2026-11-24T11:00 |  | noted
traffic until noon | flows |  | 2026-11-23T23:00 2026-11-24T11:00 |  | noted
which users failed to log in | flows | logon:failed |  | count by user 10 | noted
traffic from 10.1.2 | flows | src.ip:10.1.2.0/24
incidents closed yesterday | incidents | status:(resolved, false_positive) | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
alerts of high severity | incidents | severity>=high |  |  | noted
Desk 3's traffic yesterday | flows | device:"desk 3" or owner:"desk 3" | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
ssh or telnet connections today | flows | service:(ssh, telnet) | 2026-11-24T23:00 2026-11-25T10:30
top user agents | flows |  |  | count by user_agent 10 | noted
most common user agents today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | count by user_agent 10
which incidents involve SCRANTON | incidents | device:scranton or owner:scranton |  |  | noted
before 6am today | flows |  | 2026-11-24T23:00 2026-11-25T05:00 |  | noted
total bytes to romania | flows | dst.country:RO |  | bytes by  1
expired certificates | incidents | title:expired |  |  | noted
my devices | declined
incidents I closed this week | declined
incidents I resolved | declined
my unresolved cases | incidents | status:(open, investigating) assignee:me
resolved yesterday | incidents | status:resolved | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
smb between workstations | declined
who is using powershell | devices | device:powershell or owner:powershell or server_name:*powershell* |  |  | noted
incidents assigned to Ada Analyst | incidents | assignee:"Ada Analyst"
the office router's traffic this morning | flows | vlan:Office device.type=router | 2026-11-25T05:00 2026-11-25T10:30 |  | noted
did anyone visit 203.0.113.5 between 9 and 11 am | devices | dst.ip:203.0.113.5 | 2026-11-25T08:00 2026-11-25T10:00
which hosts triggered ET POLICY alerts | declined
NXDOMAIN answers for 10.77.0.11 | flows | dns.rcode=NXDOMAIN ip:10.77.0.11
last 50 connections of 192.168.1.102 | declined
brute force attempts since friday | incidents | detector=brute-force | 2026-11-19T23:00 2026-11-25T10:30
incidents since the 25th | incidents |  | 2026-11-24T23:00 2026-11-25T10:30
count of failed logins per user | flows | logon:failed |  | count by user 10 | noted
show traffic between 22:00 and 06:00 | flows |  | 2026-11-24T21:00 2026-11-25T05:00
flows yesterday noon till midnight | flows |  | 2026-11-24T11:00 2026-11-24T23:00
flows yesterday noon till 3pm | flows |  | 2026-11-24T11:00 2026-11-24T14:00
flows yesterday 8am till noon | flows |  | 2026-11-24T07:00 2026-11-24T11:00
flows yesterday 10pm to 6am | flows |  | 2026-11-24T21:00 2026-11-25T05:00
clients that don't use 10.0.0.5 for dns | devices | -dst.ip:10.0.0.5 service:dns |  |  | noted
connections after midnight | flows |  | 2026-11-24T23:00 2026-11-25T10:30
what happened this morning | flows |  | 2026-11-25T05:00 2026-11-25T10:30 |  | noted
flows in the last fifteen minutes | flows |  | 2026-11-25T10:15 2026-11-25T10:30
everything since 9 o'clock | flows |  | 2026-11-25T08:00 2026-11-25T10:30 |  | noted
incidents over the weekend | incidents |  | 2026-11-20T23:00 2026-11-22T23:00
traffic on tuesday afternoon | flows |  | 2026-11-24T11:00 2026-11-24T17:00
incidents from the first week of november | declined
alerts between monday and wednesday | incidents |  | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
traffic the day before yesterday | flows |  | 2026-11-22T23:00 2026-11-23T23:00
dns queries during lunch today | declined
who logged in outside working hours | declined
ssh after 8pm yesterday | flows | service:ssh | 2026-11-24T19:00 2026-11-25T10:30
connections in the past half hour | flows |  | 2026-11-25T10:00 2026-11-25T10:30
incidents this quarter | incidents |  | 2026-09-30T22:00 2026-11-25T10:30
traffic last tuesday | flows |  | 2026-11-23T23:00 2026-11-24T23:00
flows from 10am to 11am | flows |  | 2026-11-25T09:00 2026-11-25T10:00
what did Desk 1 do before lunch | declined
incidents older than 3 days | incidents | first_seen<-3d |  |  | noted
incidents in the last 48h | incidents |  | 2026-11-23T10:30 2026-11-25T10:30
traffic yesterday but not at night | declined
devices that did not use dns today | devices | -service:dns | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
connections not going to germany or france | flows | -dst.country:(DE, FR)
flows without tls on port 443 | flows | -service:tls dst.port:443 |  |  | noted
incidents that are not closed | incidents | status:(open, investigating)
alerts which are not critical | incidents | -severity=critical |  |  | noted
not ssh | flows | -service:ssh
devices that never contacted the internet | devices | -direction:outbound |  |  | noted
web traffic excluding Desk 2 | flows | service:(http, tls) not (device:"desk 2" or owner:"desk 2") |  |  | noted
all except dns | flows | -service:dns
dns queries not for microsoft.com | flows | -dns.query:(microsoft.com, *.microsoft.com)
open incidents not assigned to anyone | incidents | status:open -assignee:*
incidents without comments | declined
neither ssh nor telnet | declined
traffic to anything but 8.8.8.8 | flows | -dst.ip:8.8.8.8 |  |  | noted
devices other than printers | devices | -device.type=printer |  |  | noted
flows with no response | declined
more than 100 connections from one device | declined
at least 1 GB downloaded by Desk 3 | flows | dst.bytes>=1GB (device:"desk 3" or owner:"desk 3") |  |  | noted
less than 10 packets | flows | packets<10 |  |  | noted
between 1 MB and 5 MB sent to china | flows | src.bytes:1MB..5MB dst.country:CN direction:outbound |  |  | noted
flows bigger than 2.5 gigabytes | flows | bytes>2500MB
no more than 100 bytes | flows | bytes<=100B |  |  | noted
exactly 3 packets | declined
uploads of 500 MB or more | flows | src.bytes>=500MB direction:outbound |  |  | noted
downloads up to 10 kB | flows | dst.bytes<=10kB
connections of 5 to 10 minutes | declined
how many devices are in the guests vlan | devices | device.vlan:Guests |  | count by  1 | noted
how many alerts did we have yesterday | incidents |  | 2026-11-23T23:00 2026-11-24T23:00 | count by  1 | noted
how much was uploaded by Desk 4 today | flows | (device:"desk 4" or owner:"desk 4") direction:outbound | 2026-11-24T23:00 2026-11-25T10:30 | src.bytes by  1 | noted
how much bandwidth does Desk 2 use | flows | device:"desk 2" or owner:"desk 2" |  | bytes by  1 | noted
total traffic this week | flows |  | 2026-11-22T23:00 2026-11-25T10:30 | bytes by  1
average upload size | declined
number of ssh sessions per day | flows | service:ssh | 2026-11-18T10:30 2026-11-25T10:30 | count by  1 1d | noted
count devices by vlan | devices |  |  | count by device.vlan 10
which device sent more than 1 GB yesterday | devices | src.bytes>1GB direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
is there more traffic today than yesterday | declined
which host has the highest score | declined
devices with more than 5 incidents | declined
who downloads the most | flows |  |  | dst.bytes by src.ip 10 | noted
which country receives most of our data | flows |  |  | dst.bytes by dst.country 10 | noted
least active devices | declined
top 3 services by connections | flows |  |  | count by service 3
top 20 dst ports today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | count by dst.port 20 | noted
most contacted domains from the office vlan | flows | vlan:Office |  | count by dns.query 10 | noted
biggest uploads of the week | declined
longest connections yesterday | flows | duration>=1h | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
the 5 newest incidents | declined
latest alerts | incidents |  |  |  | noted
oldest open incident | incidents | status:open |  |  | noted
worst incident today | incidents | severity>=high | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
traffic of SCRANTON and NASHUA | flows | device:scranton or owner:scranton or device:nashua or owner:nashua |  |  | noted
Desk 1 or Desk 2 yesterday | devices | device:"desk 1" or owner:"desk 1" or device:"desk 2" or owner:"desk 2" | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
what has the Domain controller contacted | flows | device.type=domain_controller |  |  | noted
who accessed SCRANTON | flows | device:scranton or owner:scranton |  |  | noted
Training machine connections | declined
connections of the office router to outside | flows | vlan:Office device.type=router direction:outbound |  |  | noted
Desk 4's uploads this week | flows | (device:"desk 4" or owner:"desk 4") direction:outbound | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
did NASHUA talk to SCRANTON | flows | (device:nashua or owner:nashua) (device:scranton or owner:scranton or server_name:*scranton*) |  |  | noted
has anyone connected to Desk 1 over rdp | flows | (device:"desk 1" or owner:"desk 1" or server_name:"*desk 1*") service:rdp |  |  | noted
devices of Accounting | devices | device:accounting or owner:accounting |  |  | noted
laptops of the sales department | declined
who is 192.168.1.104 | devices | device.ip:192.168.1.104 |  |  | noted
where does 10.77.0.14 connect to | flows | src.ip:10.77.0.14 |  | bytes by dst.ip 10 | noted
which machines has 10.0.1.4 scanned | devices | src.ip:10.0.1.4 detector=scan -device.ip:10.0.1.4 |  |  | noted
peers of 172.16.253.129 | declined
beaconing from the guests network | incidents | detector:(beacon, beacon-name) vlan:Guests |  |  | noted
was there any port scanning last night | incidents | detector=scan | 2026-11-24T19:00 2026-11-25T05:00
hosts which scanned the network | devices | detector=scan |  |  | noted
any data exfiltration this month | incidents | detector=exfiltration | 2026-10-31T23:00 2026-11-25T10:30
brute-force against ssh servers | incidents | detector=brute-force service:ssh device.type:server |  |  | noted
dns tunnel detections | incidents | detector=dns-tunnel
suspicious powershell | declined
ransomware | declined
malware alerts on SCRANTON | incidents | title:malware (device:scranton or owner:scranton) |  |  | noted
which devices have dga activity | devices | detector=dga |  |  | noted
kerberoasting | declined
password spraying yesterday | declined
cryptomining | declined
critical incidents | incidents | severity=critical
low or medium incidents | incidents | severity:(low, medium)
incidents below high | incidents | severity<high
everything at least medium | incidents | severity>=medium
alerts higher than low | incidents | severity>low |  |  | noted
incident with severity medium | incidents | severity=medium
severe open problems from today | incidents | severity>=high status:open | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
is anything critical open | incidents | severity=critical status:open |  |  | noted
resolved yesterday | incidents | status:resolved | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
incidents closed as false positive | incidents | status:false_positive
incidents reopened this week | declined
incidents under investigation | incidents | status:investigating
what is still open from last week | incidents | status:(open, investigating) | 2026-11-15T23:00 2026-11-22T23:00
incidents I am assigned to | incidents | assignee:me
tickets of ada | incidents | device:ada or owner:ada |  |  | noted
incidents without owner | incidents | -assignee:*
closed incidents with high severity | incidents | status:(resolved, false_positive) severity>=high |  |  | noted
incidents opened today | incidents | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z
incidents updated in the last hour | incidents |  | 2026-11-25T09:30 2026-11-25T10:30 |  | noted
incidents created by Desk 3 | incidents | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z (device:"desk 3" or owner:"desk 3") |  |  | noted
show http and https traffic | flows | service:(http, tls) |  |  | noted
ntp to outside servers | flows | service:ntp direction:outbound
smb from the internet | flows | service:smb direction:inbound
non-dns traffic on port 53 | flows | -service:dns dst.port:53 |  |  | noted
tls on non-standard ports | declined
udp 53 to the internet | flows | proto=udp dst.port:53 direction:outbound |  |  | noted
ftp file transfers | flows | service:ftp
smtp connections not from the mail server | flows | service:smtp -device.type=mail_server |  |  | noted
cleartext passwords | declined
ipv6 traffic | flows | ip:"::/0"
tcp port 4444 | flows | proto=tcp dst.port:4444 |  |  | noted
ports above 1024 | flows | dst.port>1024 |  |  | noted
rdp or vnc from outside yesterday | flows | service:(rdp, vnc) direction:inbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
icmp between 10.0.0.4 and 10.0.1.6 | flows | proto=icmp ip:10.0.0.4 ip:10.0.1.6
traffic from vlan Office to vlan Servers | flows | device.vlan:Office device.vlan:Servers |  |  | noted
guests talking to servers | flows | vlan:Guests device.type:server |  |  | noted
devices in vlan 10 or 20 | devices | device.vlan:(10, 20)
research vlan uploads | flows | vlan:Research direction:outbound |  |  | noted
who from the training room visited facebook.com | devices | device.vlan:"Training room" server_name:(facebook.com, *.facebook.com) |  |  | noted
traffic leaving vlan 30 | flows | vlan:30 |  |  | noted
traffic to russia, china and iran | flows | dst.country:(RU, CN, IR) |  |  | noted
non-us traffic | declined
connections from outside europe | declined
traffic to foreign countries | flows | direction:outbound
inbound connections from the netherlands | flows | direction:inbound src.country:NL
downloads from swiss servers | flows | dst.country:CH |  |  | noted
executables downloaded today | declined
files opened on NASHUA | flows | smb.file:* (device:nashua or owner:nashua) |  |  | noted
exe files over smb | declined
certificates from Let's Encrypt | declined
self signed certs | incidents | title:self-signed |  |  | noted
certificates for example.com | flows | certificate:* server_name:(example.com, *.example.com) |  |  | noted
expired certs yesterday | incidents | title:expired | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
logins as administrator | flows | user:administrator logon:*
which users logged in to NASHUA today | flows | (device:nashua or owner:nashua or server_name:*nashua*) logon:* | 2026-11-24T23:00 2026-11-25T10:30 | count by user 10 | noted
failed logins of maria over kerberos | flows | logon:failed user:maria service:krb |  |  | noted
what was going on at 4 in the morning | declined
traffic on the 24th between 8 and 9 | flows |  | 2026-11-24T07:00 2026-11-24T08:00
incidents from 23 november | incidents |  | 2026-11-22T23:00 2026-11-23T23:00
show me flows from 18:00 till 19:30 yesterday | flows |  | 2026-11-24T17:00 2026-11-24T18:30
since when is Desk 3 here | declined
alerts of the last ten days | incidents |  | 2026-11-15T10:30 2026-11-25T10:30 |  | noted
everything that happened on sunday night | flows |  | 2026-11-22T19:00 2026-11-23T05:00 |  | noted
connections this evening | declined
traffic during the night | flows |  | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
last friday's incidents | incidents |  | 2026-11-19T23:00 2026-11-20T23:00
incidents in week 47 | declined
data sent in the last 90 minutes | flows | direction:outbound | 2026-11-25T09:00 2026-11-25T10:30 |  | noted
dns errors since monday morning | declined
activity of today until now | flows |  | 2026-11-24T23:00 2026-11-25T10:30
traffic 2 hours ago | flows |  | 2026-11-25T08:30 2026-11-25T09:30
sessions which started before 8am today | flows |  | 2026-11-24T23:00 2026-11-25T07:00 |  | noted
incidents that ended yesterday | declined
flows from november 20 to november 22 | flows |  | 2026-11-19T23:00 2026-11-22T23:00
ssh logins at weekends | declined
beaconing the last month | incidents | detector:(beacon, beacon-name) | 2026-09-30T22:00 2026-10-31T23:00 |  | noted
no dns | flows | -service:dns
anything not encrypted | declined
web servers without tls | devices | device.type=web_server -service:tls |  |  | noted
devices that have not been seen this week | declined
connections that are neither dns nor web | declined
which devices have never used ssh | devices | -service:ssh |  |  | noted
show me all but internal traffic | declined
traffic excluding 10.0.0.0/8 | flows | -ip:10.0.0.0/8
incidents other than scans | incidents | -detector=scan
tls but not on port 443 | flows | service:tls -dst.port:443 |  |  | noted
alerts without a technique | incidents | -technique:*
devices which are not printers or cameras | devices | -device.type=(printer, camera) |  |  | noted
do not show dns | flows | -service:dns |  |  | noted
isn't there any traffic to china | flows | dst.country:CN |  |  | noted
clients not using our resolver | declined
hosts that talk to the internet but not over 443 | devices | direction:outbound -dst.port:443 |  |  | noted
inactive devices | declined
unused devices | declined
a lot of dns queries | declined
many connections to port 22 | declined
few packets | declined
flows with more than 1000 packets and less than 100 bytes | flows | packets>1000 bytes<100B |  |  | noted
uploads between 10 MB and 20 MB | flows | src.bytes:10MB..20MB direction:outbound |  |  | noted
transfers around 5 GB | declined
traffic above average | declined
sessions longer than 5 min | flows | duration>5m
1 hour connections to 10.0.0.9 | declined
double the usual traffic | declined
50 largest flows | declined
smallest downloads | declined
largest transfers to china | flows | dst.country:CN bytes>=10MB |  |  | noted
how many bytes did 10.0.0.5 receive | flows | src.ip:10.0.0.5 |  | dst.bytes by  1 | noted
how many gigabytes went to germany yesterday | flows | dst.country:DE | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1 | noted
number of incidents per severity | incidents |  |  | count by severity 10
how many printers do we have | devices | device.type=printer |  | count by  1
how many open alerts does SCRANTON have | incidents | status:open (device:scranton or owner:scranton) |  | count by  1 | noted
how many flows per service | flows |  |  | count by service 10
how many new devices this month | devices | first_seen:2026-10-31T23:00:00Z..2026-11-25T10:30:00Z |  | count by  1
how often did Desk 2 contact 8.8.8.8 | flows | (device:"desk 2" or owner:"desk 2") dst.ip:8.8.8.8 |  | count by  1 | noted
percentage of encrypted traffic | declined
ratio of uploads to downloads | declined
rank countries by traffic | declined
list the top 15 servers by connections | flows |  |  | count by dst.ip 15 | noted
which service is used most | flows |  |  | bytes by service 10 | noted
which port has the most connections | flows |  |  | count by dst.port 10 | noted
most popular domains of the guests | flows | vlan:Guests |  | count by dns.query 10 | noted
who is the biggest downloader | flows |  |  | dst.bytes by src.ip 10 | noted
which devices consume the most bandwidth | declined
top vlans by traffic | flows |  |  | bytes by vlan 10
top users by failed logins | flows | logon:failed |  | count by user 10 | noted
traffic per device in the research vlan | flows | vlan:Research |  | bytes by device 10
incidents by status | incidents |  |  | count by status 10
devices by tag | devices |  |  | count by tag 10
busiest day this month | flows |  | 2026-10-31T23:00 2026-11-25T10:30 | count by  1 1d | noted
least used ports | declined
compare Desk 1 and Desk 2 | declined
NASHUA | devices | device:nashua or owner:nashua |  |  | noted
nashua and scranton | declined
the laptop of ada | devices | device.type=workstation (device:ada or owner:ada) |  |  | noted
ada's laptop | devices | (device:ada or owner:ada) device.type=workstation |  |  | noted
everything about 10.0.1.6 | flows | ip:10.0.1.6
flows of the device Desk 2 | flows | device:"desk 2" or owner:"desk 2" |  |  | noted
is Desk 3 talking to Desk 4 | flows | (device:"desk 3" or owner:"desk 3") (device:"desk 4" or owner:"desk 4") |  |  | noted
Desk 3 to Desk 4 | flows | (device:"desk 3" or owner:"desk 3") (device:"desk 4" or owner:"desk 4") |  |  | noted
who owns NASHUA | devices | device:nashua or owner:nashua |  |  | noted
which device is 10.0.0.4 | devices | device.ip:10.0.0.4 |  |  | noted
what is 192.168.1.1 | flows | ip:192.168.1.1 |  |  | noted
connections from SCRANTON to the domain controller | flows | (device:scranton or owner:scranton or server_name:*scranton*) device.type=domain_controller |  |  | noted
SCRANTON's dns queries | flows | (device:scranton or owner:scranton) dns.query:* |  |  | noted
file accesses of NASHUA | flows | smb.file:accesses (device:nashua or owner:nashua) |  |  | noted
which websites did Desk 1 visit | flows | device:"desk 1" or owner:"desk 1" |  | count by server_name 10 | noted
which domains did SCRANTON resolve yesterday | flows | (device:scranton or owner:scranton) dns.query:* | 2026-11-23T23:00 2026-11-24T23:00 | count by dns.query 10 | noted
what servers does NASHUA use | flows | device.type:server (device:nashua or owner:nashua) |  |  | noted
what was SCRANTON doing when the alert fired | declined
devices like NASHUA | devices | device:nashua or owner:nashua |  |  | noted
all Desks | declined
operations devices | declined
Management's traffic to the internet | flows | (device:management or owner:management) direction:outbound |  |  | noted
has SCRANTON been compromised | declined
did 10.0.0.5 send mail | flows | src.ip:10.0.0.5 service:smtp |  |  | noted
are there any scans from china | incidents | detector=scan src.country:CN
who is scanning us | devices | detector=scan |  |  | noted
which host is beaconing most | incidents | detector:(beacon, beacon-name) |  | count by device 10 | noted
c2 traffic to romania | flows | detector:(beacon, beacon-name) dst.country:RO |  |  | noted
suspected exfiltration by Desk 4 | declined
dga domains of SCRANTON | incidents | detector=dga dns.query:* (device:scranton or owner:scranton) |  |  | noted
dns tunneling over 1 GB | incidents | detector=dns-tunnel bytes>1GB |  |  | noted
malware on workstations | incidents | title:malware device.type=workstation |  |  | noted
brute force from the internet against rdp | incidents | detector=brute-force direction:inbound service:rdp
lateral movement to servers | incidents | detector=lateral-movement device.type:server |  |  | noted
flood against the dns server | incidents | detector=flood device.type=dns_server |  |  | noted
trojan alerts of critical severity | incidents | title:malware severity=critical |  |  | noted
threat intel matches of NASHUA | declined
signature "ET SCAN" today | flows | alert:"ET SCAN" | 2026-11-24T23:00 2026-11-25T10:30
suricata alerts with high severity | flows | alert:* severity>=high |  |  | noted
zeek notices | declined
policy violations | declined
rule 2024897 hits | flows | alert.id=2024897 |  |  | noted
alerts from sensor zeek-office | incidents | sensor:zeek-office |  |  | noted
unusual logins | declined
anomalous dns | declined
critical | incidents | severity=critical
high and above | incidents | severity>=high
show incidents of medium severity or lower | incidents | severity<=medium
worse than medium | declined
not low | incidents | -severity=low
severity 3 alerts | declined
incidents with a score between 50 and 80 | incidents | score:50..80
risk score above average | declined
top risk devices | declined
devices with critical incidents | devices | severity=critical
open high incidents of the servers vlan | incidents | status:open severity>=high vlan:Servers |  |  | noted
waiting incidents | declined
incidents nobody has looked at | incidents | -assignee:*
new and unassigned | incidents | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z -assignee:* |  |  | noted
my closed tickets | incidents | status:(resolved, false_positive) assignee:me
incidents closed by me | declined
incidents assigned to somebody else | declined
what did ada resolve last week | flows | (device:ada or owner:ada) dns.query:* | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
acknowledge all incidents | declined
true positives | declined
incidents with comments by ada | declined
muted incidents | declined
suppressed incidents | declined
incidents with evidence from suricata | declined
http to port 8080 | flows | service:http dst.port:8080
https to ip addresses | declined
dns over tls | flows | service:dns service:tls |  |  | noted
dns over tcp | flows | service:dns proto=tcp
dns to servers other than 10.0.0.1 | flows | service:dns device.type:server -ip:10.0.0.1 |  |  | noted
smtp over tls | flows | service:smtp service:tls |  |  | noted
ssh version 1 | declined
rdp sessions of more than 8 hours | flows | service:rdp duration>8h
unknown protocols | declined
traffic without a service | declined
gre tunnels | declined
multicast traffic | declined
broadcasts | declined
ntp from guests | flows | service:ntp vlan:Guests |  |  | noted
port scan on ports 1 to 1024 | incidents | detector=scan dst.port:1..1024 |  |  | noted
ports 80, 443 and 8080 | flows | dst.port:(80, 443, 8080) |  |  | noted
high ports | declined
source port 53 | flows | src.port:53
vlan 10 to vlan 20 | flows | device.vlan:10 device.vlan:20 |  |  | noted
vlan hopping | flows | vlan:hopping |  |  | noted
traffic in no vlan | flows | -vlan:* |  |  | noted
guest network to the internet | flows | vlan:Guests direction:outbound |  |  | noted
office and research devices | devices | device.vlan:(Office, Research) |  |  | noted
devices of the Training room that contacted russia | devices | device.vlan:"Training room" dst.country:RU |  |  | noted
which vlan is SCRANTON in | flows | device:scranton or owner:scranton |  | bytes by vlan 10 | noted
all vlans | flows | vlan:* |  |  | noted
connections to europe | declined
traffic to the us | flows | dst.country:US
traffic with brazil | flows | country:BR |  |  | noted
country of 8.8.8.8 | declined
russian ips | declined
chinese and russian traffic | flows | country:(CN, RU) |  |  | noted
not from germany | flows | -src.country:DE |  |  | noted
foreign dns servers | declined
google servers | flows | server_name:*google* |  |  | noted
traffic to AS15169 excluding dns | flows | dst.asn:AS15169 -service:dns
cloudflare traffic | declined
large files from NASHUA | flows | smb.file:* (device:nashua or owner:nashua) bytes>=10MB |  |  | noted
zip downloads | declined
.exe files | declined
files named invoice.doc | flows | smb.file:invoice.doc
uploads to file shares | flows | smb.file:* smb.share:* direction:outbound |  |  | noted
access to C$ | declined
deleted files | declined
certificates issued by "DigiCert" | flows | certificate.issuer:DigiCert
certificate with subject example.com | declined
weak ciphers | declined
tls 1.0 servers | devices | tls.version:1.0 device.type:server |  |  | noted
ja3 of curl | flows | ja3:* (device:curl or owner:curl) |  |  | noted
expiring certificates | declined
login attempts of root | flows | user:root logon:* |  |  | noted
users with more than 10 failed logins | declined
who logged in as administrator on NASHUA | flows | user:administrator (device:nashua or owner:nashua) logon:* |  |  | noted
accounts used on Desk 2 | flows | device:"desk 2" or owner:"desk 2" |  | count by user 10 | noted
guest account logins | declined
successful logins after failed ones | declined
user agent contains python | flows | user_agent:python |  |  | noted
which users are active now | declined
curl requests | declined
post requests over 1 MB | flows | http.method=POST src.bytes>1MB
404 errors of 10.0.0.5 | flows | http.status=404 ip:10.0.0.5
`;
