// Questions with what they are understood as, on Wednesday 2026-11-25 at 11:30 in Berlin (10:30 UTC).

/** `question | kind | filter | window in UTC | ranking`; empty ends are left out. */
export const PHRASINGS = `
show me everything scranton did yesterday evening | flows | device:scranton or owner:scranton | 2026-11-24T17:00 2026-11-24T23:00
anything unusual last night? | incidents |  | 2026-11-24T19:00 2026-11-25T05:00
who uploaded the most data yesterday | flows | direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 | src.bytes by src.ip 10
who downloaded the most yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | dst.bytes by src.ip 10
who received the most data from the internet | flows | direction:outbound |  | dst.bytes by src.ip 10
top senders | flows |  |  | src.bytes by src.ip 10
bytes received by device | flows |  |  | dst.bytes by src.ip 10
how much data did 10.0.0.5 send to 10.0.0.9 | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 |  | src.bytes by  1
connections per hour | flows |  | 2026-11-24T10:30 2026-11-25T10:30 | count by  1 1h
traffic per day this week | flows |  | 2026-11-22T23:00 2026-11-25T10:30 | bytes by  1 1d
incidents per day | incidents |  | 2026-11-18T10:30 2026-11-25T10:30 | count by  1 1d
flows per hour this month | flows |  | 2026-10-31T23:00 2026-11-25T10:30 | count by  1 1d
busiest hour today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 1h
traffic by hour yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1 1h
number of flows by country | flows |  |  | count by dst.country 10
which devices have the most traffic today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | bytes by device 10
open incidents assigned to me | incidents | status:open assignee:me
my incidents | incidents | assignee:me
my open incidents | incidents | status:open assignee:me
my critical incidents from yesterday | incidents | severity=critical assignee:me | 2026-11-23T23:00 2026-11-24T23:00
my investigating alerts | incidents | status:investigating assignee:me
what am i working on | incidents | assignee:me
flows with no certificate | flows | -certificate:*
flows with a certificate | flows | certificate:*
incidents without a technique | incidents | -technique:*
devices without alerts | devices | -severity:*
has 10.0.0.5 ever talked to 8.8.8.8 and also to 1.1.1.1 | flows | src.ip:10.0.0.5 dst.ip:(8.8.8.8, 1.1.1.1) | 2026-10-25T10:30 2026-11-25T10:30
10.0.0.5 never contacted 8.8.8.8 | flows | src.ip:10.0.0.5 -dst.ip:8.8.8.8 | 2026-10-25T10:30 2026-11-25T10:30
10.0.0.5 with dns contacted 8.8.8.8 | flows | src.ip:10.0.0.5 service:dns dst.ip:8.8.8.8
ssh or telnet connections today | flows | service:(ssh, telnet) | 2026-11-24T23:00 2026-11-25T10:30
ssh, rdp and telnet connections | flows | service:(ssh, rdp, telnet)
printers and cameras | devices | device.type=(printer, camera)
outbound traffic that isn't web or dns | flows | direction:outbound -service:(http, tls, dns)
open and investigating incidents | incidents | status:(open, investigating)
devices talking to each other | devices | direction:internal
show me everything from Desk 3 yesterday | flows | device:"desk 3" or owner:"desk 3" | 2026-11-23T23:00 2026-11-24T23:00
show only ssh traffic | flows | service:ssh
which devices contacted nashua | flows | device:nashua or owner:nashua
who talked to nashua today | flows | device:nashua or owner:nashua or server_name:*nashua* | 2026-11-24T23:00 2026-11-25T10:30
ssh from nashua to printers | flows | service:ssh (device:nashua or owner:nashua or server_name:*nashua*) device.type=printer
maria's printers | devices | (device:maria or owner:maria) device.type=printer
connections to facebook or twitter | flows | server_name:(*facebook*, *twitter*)
medium or higher severity alerts on the 24th | incidents | severity>=medium | 2026-11-23T23:00 2026-11-24T23:00
incidents since the 20th | incidents |  | 2026-11-19T23:00 2026-11-25T10:30
flows on the 26th | flows |  | 2026-10-25T23:00 2026-10-26T23:00
traffic until noon yesterday | flows |  | 2026-11-23T23:00 2026-11-24T11:00
ssh before 6am today | flows | service:ssh | 2026-11-24T23:00 2026-11-25T05:00
which users failed to log in | flows | logon:failed |  | count by user 10
failed logins per user | flows | logon:failed |  | count by user 10
traffic from 10.1.2 | flows | src.ip:10.1.2.0/24
Desk 3's traffic yesterday | flows | device:"desk 3" or owner:"desk 3" | 2026-11-23T23:00 2026-11-24T23:00
which incidents involve SCRANTON | incidents | device:scranton or owner:scranton
SCRANTON to NASHUA over smb | flows | (device:scranton or owner:scranton) (device:nashua or owner:nashua or server_name:*nashua*) service:smb
expired certificates | incidents | title:expired
top user agents | flows |  |  | count by user_agent 10
total bytes to romania | flows | dst.country:RO |  | bytes by  1
how much traffic to germany today | flows | dst.country:DE | 2026-11-24T23:00 2026-11-25T10:30 | bytes by  1
when was 192.168.1.104 last seen | devices | device.ip:192.168.1.104
my incidents from yesterday | incidents | assignee:me | 2026-11-23T23:00 2026-11-24T23:00
incidents nobody is working on | incidents | -assignee:*
devices seen for the first time yesterday | devices | first_seen:2026-11-23T23:00:00Z..2026-11-24T23:00:00Z
which devices haven't been seen since monday | devices | last_seen<2026-11-22T23:00:00Z
dns queries for *.ru | flows | dns.query:*.ru
lateral movement between scranton and nashua | incidents | detector=lateral-movement (device:scranton or owner:scranton) (device:nashua or owner:nashua)
traffic between "Front Desk" and nashua | flows | (device:"Front Desk" or owner:"Front Desk") (device:nashua or owner:nashua)
self-signed certificates this week | incidents | title:self-signed | 2026-11-22T23:00 2026-11-25T10:30
resolved incidents last week by ada | incidents | status:resolved assignee:ada | 2026-11-15T23:00 2026-11-22T23:00
yesterday between 14:00 and 15:00 | flows |  | 2026-11-24T13:00 2026-11-24T14:00
ssh yesterday at 3pm | flows | service:ssh | 2026-11-24T14:00 2026-11-24T14:30
downloads > 50MB by desk 1 | flows | dst.bytes>50MB (device:"desk 1" or owner:"desk 1")
what did desk 1 do today | flows | device:"desk 1" or owner:"desk 1" | 2026-11-24T23:00 2026-11-25T10:30
kerberos failures | flows | service:krb logon:failed
dns failures today | flows | service:dns dns.rcode=NXDOMAIN | 2026-11-24T23:00 2026-11-25T10:30
failed dns lookups by device | flows | dns.rcode=NXDOMAIN |  | count by device 10
ip address of scranton | devices | device:scranton or owner:scranton
who owns 10.0.1.4 | devices | device.ip:10.0.1.4
who is using dropbox | devices | server_name:*dropbox*
which devices visited facebook | devices | server_name:*facebook*
workstations with open incidents | devices | device.type=workstation status:open
what is going on with nashua | devices | device:nashua or owner:nashua
mitre t1021 | incidents | technique:T1021
devices with incidents | devices | severity:*
devices without incidents | devices | -severity:*
which devices had critical incidents yesterday | devices | severity=critical | 2026-11-23T23:00 2026-11-24T23:00
which devices have the most incidents this week | incidents |  | 2026-11-22T23:00 2026-11-25T10:30 | count by device 10
devices not seen for 2 days | devices | last_seen<-2d
printers not seen since monday | devices | device.type=printer last_seen<2026-11-22T23:00:00Z
which machines still use old tls | devices | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1)
dns lookups that failed, by device | flows | dns.rcode=NXDOMAIN |  | count by device 10
which countries did we talk to today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | bytes by dst.country 10
what ports did 10.0.0.5 use | flows | src.ip:10.0.0.5 |  | count by dst.port 10
malware incidents since yesterday | incidents | title:malware | 2026-11-23T23:00 2026-11-25T10:30
who talked to 10.0.0.5 | devices | dst.ip:10.0.0.5 -device.ip:10.0.0.5
who talked to 10.0.0.5 today? | devices | dst.ip:10.0.0.5 -device.ip:10.0.0.5 | 2026-11-24T23:00 2026-11-25T10:30
who has been talking to 203.0.113.9 in the last hour | devices | dst.ip:203.0.113.9 | 2026-11-25T09:30 2026-11-25T10:30
who connected to 203.0.113.0/24 this week | devices | dst.ip:203.0.113.0/24 | 2026-11-22T23:00 2026-11-25T10:30
who contacted example.com yesterday | devices | server_name:(example.com, *.example.com) | 2026-11-23T23:00 2026-11-24T23:00
who visited example.com or example.org since monday | devices | server_name:(example.com, *.example.com, example.org, *.example.org) | 2026-11-22T23:00 2026-11-25T10:30
which hosts reached out to 198.51.100.7 and 198.51.100.8 | devices | dst.ip:(198.51.100.7, 198.51.100.8)
which machines communicated with china in the past 7 days | devices | dst.country:CN | 2026-11-18T10:30 2026-11-25T10:30
which devices contacted north korea last month | devices | dst.country:KP | 2026-09-30T22:00 2026-10-31T23:00
which devices connected to the united states today | devices | dst.country:US | 2026-11-24T23:00 2026-11-25T10:30
who went to facebook.com last weekend | devices | server_name:(facebook.com, *.facebook.com) | 2026-11-20T23:00 2026-11-22T23:00
who is talking to AS15169 | devices | dst.asn:AS15169
devices that contacted autonomous system 64496 | devices | dst.asn:AS64496
who received data from 198.51.100.7 | devices | dst.ip:198.51.100.7
who was contacted by 198.51.100.7 | devices | src.ip:198.51.100.7
who downloaded from 198.51.100.7 | devices | dst.ip:198.51.100.7
who uploaded more than 100 MB to dropbox.com this week | devices | src.bytes>100MB server_name:(dropbox.com, *.dropbox.com) direction:outbound | 2026-11-22T23:00 2026-11-25T10:30
who sent data to russia last night | devices | dst.country:RU direction:outbound | 2026-11-24T19:00 2026-11-25T05:00
what did 10.0.0.5 do last night | flows | ip:10.0.0.5 | 2026-11-24T19:00 2026-11-25T05:00
what did 10.0.0.5 do between 9am and 5pm yesterday | flows | ip:10.0.0.5 | 2026-11-24T08:00 2026-11-24T16:00
what did 10.0.0.5 talk to | flows | src.ip:10.0.0.5
what did fileserver do on monday | flows | device:fileserver or owner:fileserver | 2026-11-22T23:00 2026-11-23T23:00
what has maria been doing since 9am | flows | device:maria or owner:maria | 2026-11-25T08:00 2026-11-25T10:30
what is printer-3 doing right now | flows | device:printer-3 or owner:printer-3 | 2026-11-25T10:15 2026-11-25T10:30
what did maria's laptop do this morning | flows | (device:maria or owner:maria) device.type=workstation | 2026-11-25T05:00 2026-11-25T10:30
what did "Front Desk" do yesterday afternoon | flows | device:"Front Desk" or owner:"Front Desk" | 2026-11-24T11:00 2026-11-24T17:00
what did dc01 look up today | flows | (device:dc01 or owner:dc01) dns.query:* | 2026-11-24T23:00 2026-11-25T10:30
what did 10.0.0.5 download yesterday | flows | ip:10.0.0.5 | 2026-11-23T23:00 2026-11-24T23:00
show me everything from 10.0.0.5 | flows | src.ip:10.0.0.5
show all traffic to 8.8.8.8 | flows | dst.ip:8.8.8.8
connections from 10.0.0.5 to 10.0.0.9 | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9
traffic from 10.0.0.0/8 to the internet | flows | src.ip:10.0.0.0/8 direction:outbound
traffic between 10.0.0.5 and 10.0.0.9 in the last 2 hours | flows | ip:10.0.0.5 ip:10.0.0.9 | 2026-11-25T08:30 2026-11-25T10:30
flows to port 443 | flows | dst.port:443
flows on port 80 or 443 | flows | dst.port:(80, 443)
connections to port 3389 from the internet | flows | dst.port:3389 direction:inbound
connections from port 53 | flows | src.port:53
traffic on :8080 | flows | dst.port:8080
ssh connections from 10.0.0.5 | flows | service:ssh src.ip:10.0.0.5
ssh from outside | flows | service:ssh direction:inbound
rdp between devices today | flows | service:rdp direction:internal | 2026-11-24T23:00 2026-11-25T10:30
smb traffic between 10.0.0.5 and 10.0.0.9 | flows | service:smb ip:10.0.0.5 ip:10.0.0.9
telnet connections | flows | service:telnet
dns traffic not to 10.0.0.1 | flows | service:dns -dst.ip:10.0.0.1
tcp connections to port 25 except from 10.0.0.25 | flows | proto=tcp dst.port:25 -src.ip:10.0.0.25
udp traffic over 100 MB | flows | proto=udp bytes>100MB
icmp traffic today | flows | proto=icmp | 2026-11-24T23:00 2026-11-25T10:30
quic traffic to germany | flows | service:quic dst.country:DE
encrypted web traffic to iran | flows | service:tls dst.country:IR
http post requests to 198.51.100.7 | flows | http.method=POST dst.ip:198.51.100.7
web traffic to brazil yesterday | flows | service:(http, tls) dst.country:BR | 2026-11-23T23:00 2026-11-24T23:00
mail traffic to ukraine | flows | service:smtp dst.country:UA
ftp connections this month | flows | service:ftp | 2026-10-31T23:00 2026-11-25T10:30
kerberos traffic from 10.0.0.7 | flows | service:krb src.ip:10.0.0.7
ldap connections to outside | flows | service:ldap direction:outbound
large uploads today | flows | direction:outbound src.bytes>=10MB | 2026-11-24T23:00 2026-11-25T10:30
large uploads by maria since monday | flows | (device:maria or owner:maria) direction:outbound src.bytes>=10MB | 2026-11-22T23:00 2026-11-25T10:30
uploads over 1 GB this week | flows | src.bytes>1GB direction:outbound | 2026-11-22T23:00 2026-11-25T10:30
big downloads yesterday | flows | dst.bytes>=10MB | 2026-11-23T23:00 2026-11-24T23:00
downloads larger than 500 megabytes in november | flows | dst.bytes>500MB | 2026-10-31T23:00 2026-11-25T10:30
huge transfers last night | flows | bytes>=10MB | 2026-11-24T19:00 2026-11-25T05:00
transfers of more than 2 GB to china | flows | bytes>2GB dst.country:CN
connections longer than 2 hours | flows | duration>2h
long connections to outside | flows | direction:outbound duration>=1h
sessions lasting more than 30 minutes | flows | duration>30m
flows shorter than 1 second | flows | duration<1s
flows under 100 bytes | flows | bytes<100B
flows over 10000 packets | flows | packets>10000
ssh connections longer than 1 hour to russia | flows | service:ssh duration>1h dst.country:RU
persistent connections to 203.0.113.5 | flows | dst.ip:203.0.113.5 duration>=1h
failed logins | flows | logon:failed
failed log-ons yesterday | flows | logon:failed | 2026-11-23T23:00 2026-11-24T23:00
failed logins by admin | flows | logon:failed user:admin
failed logins to 10.0.0.9 since midnight | flows | logon:failed dst.ip:10.0.0.9 | 2026-11-24T23:00 2026-11-25T10:30
failed ssh logins from outside | flows | service:ssh direction:inbound logon:failed
failed kerberos authentications this morning | flows | service:krb logon:failed | 2026-11-25T05:00 2026-11-25T10:30
successful logins from the internet | flows | logon:succeeded direction:inbound
successful ssh logins by root | flows | service:ssh user:root logon:succeeded
log-ons of maria today | flows | user:maria logon:* | 2026-11-24T23:00 2026-11-25T10:30
who failed to log in last night | devices | logon:failed | 2026-11-24T19:00 2026-11-25T05:00
wrong passwords in the last 24 hours | flows | logon:failed | 2026-11-24T10:30 2026-11-25T10:30
dns lookups of example.com | flows | dns.query:(example.com, *.example.com)
dns queries for *.example.com today | flows | dns.query:*.example.com | 2026-11-24T23:00 2026-11-25T10:30
lookups of evil.example by 10.0.0.5 | flows | dns.query:(evil.example, *.evil.example) src.ip:10.0.0.5
who looked up evil.example | devices | dns.query:(evil.example, *.evil.example)
which devices looked up example.com last week | devices | dns.query:(example.com, *.example.com) | 2026-11-15T23:00 2026-11-22T23:00
which hosts resolved example.com | devices | dns.query:(example.com, *.example.com)
which machines queried example.com today | devices | dns.query:(example.com, *.example.com) | 2026-11-24T23:00 2026-11-25T10:30
failed dns lookups by 10.0.0.5 | flows | dns.rcode=NXDOMAIN src.ip:10.0.0.5
nxdomain today | flows | dns.rcode=NXDOMAIN | 2026-11-24T23:00 2026-11-25T10:30
txt lookups yesterday | flows | dns.type=TXT | 2026-11-23T23:00 2026-11-24T23:00
dns requests from printer-3 | flows | (device:printer-3 or owner:printer-3) dns.query:*
what names did 10.0.0.5 look up | flows | src.ip:10.0.0.5 dns.query:*
alerts | incidents
alerts today | incidents |  | 2026-11-24T23:00 2026-11-25T10:30
alerts of high severity yesterday | incidents | severity>=high | 2026-11-23T23:00 2026-11-24T23:00
critical alerts this week | incidents | severity=critical | 2026-11-22T23:00 2026-11-25T10:30
high or critical incidents | incidents | severity:(high, critical)
medium severity incidents since yesterday | incidents | severity=medium | 2026-11-23T23:00 2026-11-25T10:30
incidents of severity high or higher | incidents | severity>=high
low severity alerts from last month | incidents | severity=low | 2026-09-30T22:00 2026-10-31T23:00
severe incidents | incidents | severity>=high
open incidents | incidents | status:open
open incidents of high severity | incidents | status:open severity>=high
unresolved incidents | incidents | status:(open, investigating)
incidents in progress | incidents | status:investigating
closed incidents last week | incidents | status:(resolved, false_positive) | 2026-11-15T23:00 2026-11-22T23:00
resolved incidents this month | incidents | status:resolved | 2026-10-31T23:00 2026-11-25T10:30
false positives | incidents | status:false_positive
false positives since november 1 | incidents | status:false_positive | 2026-10-31T23:00 2026-11-25T10:30
incidents assigned to maria | incidents | assignee:maria
unassigned incidents | incidents | -assignee:*
incidents involving 10.0.0.5 | incidents | ip:10.0.0.5
incidents of printer-3 | incidents | device:printer-3 or owner:printer-3
incidents on maria's devices | incidents | device:maria or owner:maria
incidents with technique T1071 | incidents | technique:T1071
incidents with score above 80 | incidents | score>80
incidents about beaconing | incidents | detector:(beacon, beacon-name)
ids alerts today | flows | alert:* | 2026-11-24T23:00 2026-11-25T10:30
suricata alerts to 10.0.0.5 | flows | alert:* dst.ip:10.0.0.5
signature hits last hour | flows | alert:* | 2026-11-25T09:30 2026-11-25T10:30
alerts with signature "ET MALWARE" | flows | alert:"ET MALWARE"
alerts with sid 2024897 | flows | alert.id=2024897
beaconing today | incidents | detector:(beacon, beacon-name) | 2026-11-24T23:00 2026-11-25T10:30
beacons in the last 24 hours | incidents | detector:(beacon, beacon-name) | 2026-11-24T10:30 2026-11-25T10:30
command and control this week | incidents | detector:(beacon, beacon-name) | 2026-11-22T23:00 2026-11-25T10:30
port scans since friday | incidents | detector=scan | 2026-11-19T23:00 2026-11-25T10:30
scans from outside | incidents | detector=scan direction:inbound
brute force attacks yesterday | incidents | detector=brute-force | 2026-11-23T23:00 2026-11-24T23:00
data exfiltration last month | incidents | detector=exfiltration | 2026-09-30T22:00 2026-10-31T23:00
dns tunneling | incidents | detector=dns-tunnel
lateral movement this week | incidents | detector=lateral-movement | 2026-11-22T23:00 2026-11-25T10:30
rogue dhcp servers | incidents | detector=rogue-dhcp
denial of service last night | incidents | detector=flood | 2026-11-24T19:00 2026-11-25T05:00
generated domains | incidents | detector=dga
new devices | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z
new devices this week | devices | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z
new devices today | devices | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z
new devices since monday | devices | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z
devices first seen yesterday | devices | first_seen:2026-11-23T23:00:00Z..2026-11-24T23:00:00Z
new printers this month | devices | first_seen:2026-10-31T23:00:00Z..2026-11-25T10:30:00Z device.type=printer
which devices appeared in the last 3 days | devices | first_seen:2026-11-22T10:30:00Z..2026-11-25T10:30:00Z
new incidents today | incidents | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z
devices | devices
all devices | devices
devices seen today | devices |  | 2026-11-24T23:00 2026-11-25T10:30
devices in vlan 20 | devices | device.vlan:20
devices in vlan guest | devices | device.vlan:guest
printers | devices | device.type=printer
printers in vlan 20 | devices | device.type=printer device.vlan:20
cameras that talked to the internet | devices | device.type=camera direction:outbound
which printers contacted china | devices | device.type=printer dst.country:CN
servers with risk above 50 | devices | device.type:server device.score>50
devices with risk score over 60 | devices | device.score>60
devices tagged critical | devices | tag=critical
devices with tag lab | devices | tag=lab
devices owned by maria | devices | owner:maria
maria's devices | devices | device:maria or owner:maria
devices without an owner | devices | -owner:*
devices without tags | devices | -tag:*
devices with an owner | devices | owner:*
unknown devices | devices | device.type=unknown
domain controllers | devices | device.type=domain_controller
workstations owned by maria | devices | device.type=workstation owner:maria
iot devices that contacted the internet today | devices | device.type=iot direction:outbound | 2026-11-24T23:00 2026-11-25T10:30
devices called printer | devices | device:printer
devices of type camera | devices | device.type=camera
which devices use an old tls version | devices | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1)
which devices use tls 1.0 | devices | tls.version:1.0
who uses tls 1.1 or older | devices | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1)
devices using ssl 3.0 | devices | tls.version:"SSL 3.0"
tls 1.3 connections to 10.0.0.9 | flows | tls.version:1.3 dst.ip:10.0.0.9
flows with ja3 e7d705a3286e19ea42f587b344ee6865 | flows | ja3:e7d705a3286e19ea42f587b344ee6865
e7d705a3286e19ea42f587b344ee6865 | flows | e7d705a3286e19ea42f587b344ee6865
devices with user agent curl | devices | user_agent:curl
requests with user agent "python-requests" | flows | user_agent:python-requests
http errors today | flows | http.status>=400 | 2026-11-24T23:00 2026-11-25T10:30
http status 404 | flows | http.status=404
status code above 499 | flows | http.status>499
connections to known bad addresses | flows | intel:*
malicious traffic this week | flows | intel:* | 2026-11-22T23:00 2026-11-25T10:30
threat intelligence hits today | flows | intel:* | 2026-11-24T23:00 2026-11-25T10:30
who contacted malicious hosts | devices | intel:*
known bad domains | flows | intel:*
which devices contacted known bad servers last week | devices | intel:* | 2026-11-15T23:00 2026-11-22T23:00
top talkers | flows |  |  | bytes by src.ip 10
top talkers today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | bytes by src.ip 10
top 5 talkers last hour | flows |  | 2026-11-25T09:30 2026-11-25T10:30 | bytes by src.ip 5
top 10 destinations yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by dst.ip 10
top countries this week | flows |  | 2026-11-22T23:00 2026-11-25T10:30 | bytes by dst.country 10
top services today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | bytes by service 10
top ports | flows |  |  | count by dst.port 10
top dns queries of 10.0.0.5 | flows | ip:10.0.0.5 |  | count by dns.query 10
top domains last week | flows |  | 2026-11-15T23:00 2026-11-22T23:00 | count by dns.query 10
top signatures this month | flows |  | 2026-10-31T23:00 2026-11-25T10:30 | count by alert 10
busiest hosts today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | bytes by src.ip 10
most visited websites this week | flows |  | 2026-11-22T23:00 2026-11-25T10:30 | count by server_name 10
traffic by country | flows |  |  | bytes by dst.country 10
traffic by service yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by service 10
traffic per vlan | flows |  |  | bytes by vlan 10
connections by port from outside | flows | direction:inbound |  | count by dst.port 10
incidents by severity | incidents |  |  | count by severity 10
incidents by detector this month | incidents |  | 2026-10-31T23:00 2026-11-25T10:30 | count by detector 10
devices by type | devices |  |  | count by device.type 10
devices by owner | devices |  |  | count by owner 10
how many incidents today | incidents |  | 2026-11-24T23:00 2026-11-25T10:30 | count by  1
how many devices | devices |  |  | count by  1
how many connections to china yesterday | flows | dst.country:CN | 2026-11-23T23:00 2026-11-24T23:00 | count by  1
how many failed logins last night | flows | logon:failed | 2026-11-24T19:00 2026-11-25T05:00 | count by  1
number of dns queries in the last hour | flows | dns.query:* | 2026-11-25T09:30 2026-11-25T10:30 | count by  1
outbound traffic | flows | direction:outbound
inbound connections last hour | flows | direction:inbound | 2026-11-25T09:30 2026-11-25T10:30
internal traffic on port 445 | flows | direction:internal dst.port:445
outgoing traffic to asn 13335 | flows | direction:outbound dst.asn:AS13335
incoming rdp | flows | direction:inbound service:rdp
example.com | flows | server_name:(example.com, *.example.com) or dns.query:(example.com, *.example.com)
10.0.0.5 | flows | ip:10.0.0.5
198.51.100.0/24 | flows | ip:198.51.100.0/24
"ET MALWARE" | flows | "ET MALWARE"
T1071.001 | incidents | technique:T1071.001
flows seen by zeek | flows | source:zeek
netflow traffic today | flows | source:netflow | 2026-11-24T23:00 2026-11-25T10:30
flows of sensor zeek-office | flows | sensor:zeek-office
flows in vlan 30 | flows | vlan:30
traffic from vlan 30 to the internet | flows | vlan:30 direction:outbound
devices that never contacted the internet | devices | -direction:outbound
devices that did not contact 10.0.0.1 today | devices | -dst.ip:10.0.0.1 | 2026-11-24T23:00 2026-11-25T10:30
flows without dns | flows | -service:dns
incidents not resolved | incidents | status:(open, investigating)
traffic except dns | flows | -service:dns
connections to china or russia | flows | dst.country:(CN, RU)
connections to germany, france or italy | flows | dst.country:(DE, FR, IT)
connections on november 20 | flows |  | 2026-11-19T23:00 2026-11-20T23:00
connections on 2026-11-20 | flows |  | 2026-11-19T23:00 2026-11-20T23:00
connections 3 days ago | flows |  | 2026-11-21T23:00 2026-11-22T23:00
connections 2 hours ago | flows |  | 2026-11-25T08:30 2026-11-25T09:30
connections since 2026-11-20 | flows |  | 2026-11-19T23:00 2026-11-25T10:30
connections before yesterday | flows |  | 2026-10-23T23:00 2026-11-23T23:00
connections between monday and wednesday | flows |  | 2026-11-22T23:00 2026-11-25T10:30
connections at 14:30 | flows |  | 2026-11-24T13:30 2026-11-24T14:00
connections at 9am yesterday | flows |  | 2026-11-24T08:00 2026-11-24T08:30
connections last monday | flows |  | 2026-11-22T23:00 2026-11-23T23:00
connections this weekend | flows |  | 2026-11-20T23:00 2026-11-22T23:00
connections overnight | flows |  | 2026-11-24T19:00 2026-11-25T05:00
connections in the last 15 minutes | flows |  | 2026-11-25T10:15 2026-11-25T10:30
connections in the past fortnight | flows |  | 2026-11-11T10:30 2026-11-25T10:30
connections in the last couple of hours | flows |  | 2026-11-25T08:30 2026-11-25T10:30
connections since noon | flows |  | 2026-11-24T11:00 2026-11-25T10:30
connections over the weekend | flows |  | 2026-11-20T23:00 2026-11-22T23:00
connections from 9am to 5pm on monday | flows |  | 2026-11-23T08:00 2026-11-23T16:00
connections the day before yesterday | flows |  | 2026-11-22T23:00 2026-11-23T23:00
connections in october | flows |  | 2026-09-30T22:00 2026-10-31T23:00
connections this quarter | flows |  | 2026-09-30T22:00 2026-11-25T10:30
show me all incedents today | incidents |  | 2026-11-24T23:00 2026-11-25T10:30
which devces contacted china | devices | dst.country:CN
failed logns yesterday | flows | logon:failed | 2026-11-23T23:00 2026-11-24T23:00
biggest uploads this week | flows | direction:outbound | 2026-11-22T23:00 2026-11-25T10:30 | src.bytes by src.ip 10
larg uploads yesterday | flows | direction:outbound src.bytes>=10MB | 2026-11-23T23:00 2026-11-24T23:00
conections to port 22 | flows | dst.port:22
dowloads over 1 GB | flows | dst.bytes>1GB
can you show me the traffic from 10.0.0.5 please | flows | src.ip:10.0.0.5
please list open incidents | incidents | status:open
find devices owned by maria | devices | owner:maria
give me all dns lookups of example.com | flows | dns.query:(example.com, *.example.com)
any malicious traffic? | flows | intel:*
are there any open incidents? | incidents | status:open
is there traffic to iran? | flows | dst.country:IR
were there failed logins last night? | flows | logon:failed | 2026-11-24T19:00 2026-11-25T05:00
do we have unknown devices? | devices | device.type=unknown
did anyone contact evil.example? | devices | server_name:(evil.example, *.evil.example)
did 10.0.0.5 talk to 10.0.0.9? | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9
has printer-3 contacted the internet? | flows | (device:printer-3 or owner:printer-3) direction:outbound
smb files named .exe | flows | service:smb smb.file:.exe
access to share ADMIN$ | flows | smb.share:ADMIN$
user admin | flows | user:admin
traffic of user maria | flows | user:maria
certificates issued by "Let's Encrypt" | flows | certificate.issuer:"Let's Encrypt"
flows with alerts | flows | alert:*
connections to 10.0.0.5 with alerts today | flows | dst.ip:10.0.0.5 alert:* | 2026-11-24T23:00 2026-11-25T10:30
anomalies today | flows | anomaly:* | 2026-11-24T23:00 2026-11-25T10:30
`;

/** `question | zone | now in UTC | window in UTC`, around changes of clocks. */
export const ZONED = `
flows yesterday | Europe/Berlin | 2026-03-30T08:00 | 2026-03-28T23:00 2026-03-29T22:00
flows last night | Europe/Berlin | 2026-03-29T08:00 | 2026-03-28T19:00 2026-03-29T04:00
flows last night | Europe/Berlin | 2026-10-25T08:00 | 2026-10-24T18:00 2026-10-25T05:00
flows today | Europe/Berlin | 2026-10-25T12:00 | 2026-10-24T22:00 2026-10-25T12:00
flows yesterday | Europe/Berlin | 2026-10-26T12:00 | 2026-10-24T22:00 2026-10-25T23:00
flows between 1am and 4am today | Europe/Berlin | 2026-10-25T12:00 | 2026-10-24T23:00 2026-10-25T03:00
flows this week | Europe/Berlin | 2026-10-28T12:00 | 2026-10-25T23:00 2026-10-28T12:00
flows last week | Europe/Berlin | 2026-10-28T12:00 | 2026-10-18T22:00 2026-10-25T23:00
flows in october | Europe/Berlin | 2026-11-25T12:00 | 2026-09-30T22:00 2026-10-31T23:00
flows in march | Europe/Berlin | 2026-11-25T12:00 | 2026-02-28T23:00 2026-03-31T22:00
flows in the last 24 hours | Europe/Berlin | 2026-10-25T12:00 | 2026-10-24T12:00 2026-10-25T12:00
flows yesterday | America/New_York | 2026-03-09T15:00 | 2026-03-08T05:00 2026-03-09T04:00
flows yesterday | America/New_York | 2026-11-02T15:00 | 2026-11-01T04:00 2026-11-02T05:00
flows yesterday morning | America/New_York | 2026-11-02T15:00 | 2026-11-01T11:00 2026-11-01T17:00
flows since midnight | America/New_York | 2026-11-01T15:00 | 2026-11-01T04:00 2026-11-01T15:00
flows on sunday | America/New_York | 2026-11-02T03:00 | 2026-11-01T04:00 2026-11-02T03:00
flows today | America/New_York | 2026-11-02T03:00 | 2026-11-01T04:00 2026-11-02T03:00
flows last weekend | America/New_York | 2026-11-04T15:00 | 2026-10-31T04:00 2026-11-02T05:00
flows yesterday | Australia/Lord_Howe | 2026-04-05T20:00 | 2026-04-04T13:00 2026-04-05T13:30
flows today | Asia/Kathmandu | 2026-11-25T10:30 | 2026-11-24T18:15 2026-11-25T10:30
flows on 2026-11-20 | Asia/Kathmandu | 2026-11-25T10:30 | 2026-11-19T18:15 2026-11-20T18:15
flows since monday | Asia/Tokyo | 2026-11-22T15:30 | 2026-11-22T15:00 2026-11-22T15:30
flows yesterday | America/Santiago | 2026-09-07T12:00 | 2026-09-06T04:00 2026-09-07T03:00
flows since 9am | UTC | 2026-11-25T08:00 | 2026-11-24T09:00 2026-11-25T08:00
flows at noon yesterday | UTC | 2026-11-25T08:00 | 2026-11-24T12:00 2026-11-24T12:30
`;

/** The rows of a table as trimmed cells. */
export function cellsOf(table: string): string[][] {
  return table.trim().split("\n").map((line) => line.split(" | ").map((cell) => cell.trim()));
}
