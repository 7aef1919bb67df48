// What twenty lots of 142 to 166 questions, written before they were first asked, are answered with and without a note.
// Of them 4, 0, 1, 1, 2, 1, 2, 2, 0, 1, 2, 3, 0, 3, 0, 0, 1, 1, 0 and 1 were answered wrongly without one at first.

/** As `ASKED_PHRASINGS`: questions in a usual order of words, so that nothing is noted. */
export const FRAME_PHRASINGS = `
show beacons to the netherlands since sunday | incidents | detector:(beacon, beacon-name) dst.country:NL | 2026-11-21T23:00 2026-11-25T10:30
any lateral movement after 22:00 yesterday | incidents | detector=lateral-movement | 2026-11-24T21:00 2026-11-25T10:30
rdp from the outside into vlan 20 | flows | service:rdp direction:inbound vlan:20
assets without a type | devices | -device.type:*
what computer is connect to 203.0.113.9 | devices | dst.ip:203.0.113.9
top 5 talkers in vlan 30 by packets | flows | vlan:30 |  | packets by src.ip 5
icmp from 10.0.0.0/8 to 10.0.0.0/8 | flows | proto=icmp src.ip:10.0.0.0/8 dst.ip:10.0.0.0/8
flows with src port 443 | flows | src.port:443
dhcp servers other than 10.0.0.1 | devices | device.type=dhcp_server -device.ip:10.0.0.1
flows shorter than 1 second to port 22 | flows | duration<1s dst.port:22
packets to 10.0.0.5 | flows | dst.ip:10.0.0.5
who used chatgpt.com on monday between 8 and 10 | devices | server_name:(chatgpt.com, *.chatgpt.com) | 2026-11-23T07:00 2026-11-23T09:00
laptops that were not in vlan 30 today | devices | device.type=workstation -device.vlan:30 | 2026-11-24T23:00 2026-11-25T10:30
devices offline since yesterday | devices | last_seen<2026-11-23T23:00:00Z
devices not seen for two weeks | devices | last_seen<-14d
new devices on vlan 30 since monday | devices | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z device.vlan:30
printers reachable from the internet | devices | device.type=printer direction:inbound
which tickets are assigned to ada | incidents | assignee:ada
ids alerts of category trojan | flows | alert:* alert.category:trojan
suricata alerts for 10.0.0.5 excluding sid 2024897 | flows | alert:* ip:10.0.0.5 -alert.id=2024897
anything from or to 203.0.113.77 | flows | ip:203.0.113.77
nxdomain by client | flows | dns.rcode=NXDOMAIN |  | count by src.ip 10 | noted
http posts to 198.51.100.7 | flows | http.method=POST dst.ip:198.51.100.7
10.0.0.5 talking to 10.0.0.9 over smb at 3am | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 service:smb | 2026-11-25T02:00 2026-11-25T02:30 |  | noted
lateral movement incidents with severity critical or high | incidents | detector=lateral-movement severity:(critical, high)
c2 incidents of this month by device | incidents | detector:(beacon, beacon-name) | 2026-10-31T23:00 2026-11-25T10:30 | count by device 10
incidents by technique this quarter | incidents |  | 2026-09-30T22:00 2026-11-25T10:30 | count by technique 10
transfers to the us or the uk over 100 MB | flows | dst.country:(US, GB) bytes>100MB
in last two days new devices | devices | first_seen:2026-11-23T10:30:00Z..2026-11-25T10:30:00Z
bytes per service for 10.0.0.5 today | flows | ip:10.0.0.5 | 2026-11-24T23:00 2026-11-25T10:30 | bytes by service 10
packets per device yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | packets by device 10
tls to ports other than 443 | flows | service:tls dst.port!=443
ssh on ports other than 22 | flows | service:ssh dst.port!=22 |  |  | noted
flows with tag backup | flows | tag=backup
destination ports of incoming connections this week | flows | direction:inbound | 2026-11-22T23:00 2026-11-25T10:30 | count by dst.port 10
source countries of incoming ssh | flows | direction:inbound service:ssh |  | bytes by src.country 10 | noted
tickets from last night | incidents |  | 2026-11-24T19:00 2026-11-25T05:00
new tickets today by severity | incidents | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z |  | count by severity 10
hosts in vlan 20 or 30 | devices | device.vlan:(20, 30)
tls 1.3 to russia | flows | tls.version:1.3 dst.country:RU
http errors of the web server today | flows | http.status>=400 device.type=web_server | 2026-11-24T23:00 2026-11-25T10:30
post requests over 10 MB to outside | flows | http.method=POST src.bytes>10MB direction:outbound
dns answers with 203.0.113.9 | flows | dns.answer:203.0.113.9
txt lookups by 10.0.0.5 | flows | dns.type=TXT src.ip:10.0.0.5
alerts of yesterday that are not closed | incidents | status:(open, investigating) | 2026-11-23T23:00 2026-11-24T23:00
which machines spoke to 198.51.100.23 on tuesday | devices | dst.ip:198.51.100.23 | 2026-11-23T23:00 2026-11-24T23:00
show flows from vlan 30 to the internet over 50 MB | flows | vlan:30 direction:outbound bytes>50MB
ssh attempts on 10.0.0.9 | flows | service:ssh ip:10.0.0.9
outbound smb last week | flows | direction:outbound service:smb | 2026-11-15T23:00 2026-11-22T23:00
open critical incidents by assignee | incidents | status:open severity=critical |  | count by assignee 10
incidents of severity medium on workstations | incidents | severity=medium device.type=workstation
is there anything between 10.0.0.5 and 198.51.100.0/24 | flows | ip:10.0.0.5 ip:198.51.100.0/24
tls without server name to the internet | flows | service:tls -server_name:* direction:outbound
how many connections from russia today | flows | src.country:RU | 2026-11-24T23:00 2026-11-25T10:30 | count by  1
flows seen by sensor hall-2 | flows | sensor:hall-2
show high and critical incidents for q3 | incidents | severity:(high, critical) | 2026-06-30T22:00 2026-09-30T22:00
list failed logons of user svc-backup this month | flows | logon:failed user:svc-backup | 2026-10-31T23:00 2026-11-25T10:30
transfers above 1 GB to as13335 | flows | bytes>1GB dst.asn:AS13335
how many computer in network | devices |  |  | count by  1
traffic more than 1 gigabyte | flows | bytes>1GB |  |  | noted
everything about 203.0.113.9 | flows | ip:203.0.113.9
internal traffic of 10.0.0.5 except to 10.0.0.2 | flows | direction:internal ip:10.0.0.5 -dst.ip:10.0.0.2
udp not dns | flows | proto=udp -service:dns
http to 10.0.0.0/8 | flows | service:http dst.ip:10.0.0.0/8
top 10 talkers to 198.51.100.7 | flows | dst.ip:198.51.100.7 |  | bytes by src.ip 10
ipv6 dns | flows | ip:"::/0" service:dns
sources of inbound rdp | flows | direction:inbound service:rdp |  | bytes by src.ip 10 | noted
phones in the guests network | devices | device.type=phone device.vlan:Guests
new phones today | devices | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z device.type=phone
false alarms per detector | incidents | status:false_positive |  | count by detector 10
open tickets per assignee | incidents | status:open |  | count by assignee 10
post requests to 203.0.113.9 | flows | http.method=POST dst.ip:203.0.113.9
ids alerts from 203.0.113.9 | flows | alert:* src.ip:203.0.113.9
anomalies of 10.0.0.5 | flows | anomaly:* ip:10.0.0.5
are there rdp sessions from outside to 10.0.0.9 | flows | service:rdp direction:inbound dst.ip:10.0.0.9
dns queries of 10.0.0.5 for google.com | flows | ip:10.0.0.5 dns.query:(google.com, *.google.com)
list beaconing to AS9009 | incidents | detector:(beacon, beacon-name) dst.asn:AS9009
incidents of 10.0.0.5 or 10.0.0.9 from last week | incidents | ip:(10.0.0.5, 10.0.0.9) | 2026-11-15T23:00 2026-11-22T23:00
how many hosts on vlan 20 | devices | device.vlan:20 |  | count by  1
what talks modbus | flows | service:modbus
anything other than modbus to 10.0.5.2 | flows | -service:modbus dst.ip:10.0.5.2
10.0.5.2's connections since friday | flows | ip:10.0.5.2 | 2026-11-19T23:00 2026-11-25T10:30
were there connections to 10.0.5.2 on sunday between 1 and 5 am | flows | dst.ip:10.0.5.2 | 2026-11-22T00:00 2026-11-22T04:00
incoming traffic per hour yesterday | flows | direction:inbound | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1 1h
devices first seen in november | devices | first_seen:2026-10-31T23:00:00Z..2026-11-25T10:30:00Z
devices not seen since october | devices | last_seen<2026-09-30T22:00:00Z
medium or lower incidents of last month | incidents | severity<=medium | 2026-09-30T22:00 2026-10-31T23:00
what devices is in vlan 20 | devices | device.vlan:20
all connections from and to 10.0.0.5 without dns | flows | ip:10.0.0.5 -service:dns
uploads to 203.0.113.9 larger than 100 MB on november 12 | flows | dst.ip:203.0.113.9 src.bytes>100MB | 2026-11-11T23:00 2026-11-12T23:00
volume of data from 10.0.0.5 to 203.0.113.9 | flows | src.ip:10.0.0.5 dst.ip:203.0.113.9 |  | bytes by  1
icmp to the internet | flows | proto=icmp direction:outbound
top talkers in the guests vlan this hour | flows | vlan:Guests | 2026-11-25T09:30 2026-11-25T10:30 | bytes by src.ip 10
bytes per protocol today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | bytes by proto 10
flows from source port 123 | flows | src.port:123
connections with less than 3 packets | flows | packets<3
quic to google.com | flows | service:quic server_name:(google.com, *.google.com)
who uses 8.8.8.8 | devices | dst.ip:8.8.8.8
traffic by direction this week | flows |  | 2026-11-22T23:00 2026-11-25T10:30 | bytes by direction 10
destination countries of vlan 30 | flows | vlan:30 |  | bytes by dst.country 10 | noted
critical tickets assigned to nobody | incidents | severity=critical -assignee:*
printers not seen for a week | devices | device.type=printer last_seen<-7d
old ssl on mail servers | flows | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) device.type=mail_server
dns tunnels since yesterday morning | incidents | detector=dns-tunnel | 2026-11-24T05:00 2026-11-25T10:30
everything except dns from 10.0.0.5 in the last hour | flows | -service:dns src.ip:10.0.0.5 | 2026-11-25T09:30 2026-11-25T10:30
which cameras connect to the internet | devices | device.type=camera direction:outbound
connections into vlan 50 from outside | flows | vlan:50 direction:inbound
number of devices by vlan | devices |  |  | count by device.vlan 10
are there devices without type in vlan 20 | devices | -device.type:* device.vlan:20
incidents closed without assignee | incidents | status:(resolved, false_positive) -assignee:*
all incidents with status investigating | incidents | status:investigating
count incidents by status for november | incidents |  | 2026-10-31T23:00 2026-11-25T10:30 | count by status 10
traffic to iran, north korea or syria since january | flows | dst.country:(IR, KP, SY) | 2025-12-31T23:00 2026-11-25T10:30
sessions with ssl 3.0 | flows | tls.version:"SSL 3.0"
ftp, telnet or http logins | flows | service:(ftp, telnet, http) logon:*
incident from today morning | incidents |  | 2026-11-25T05:00 2026-11-25T10:30
please list devices what have no owner | devices | -owner:*
show me last 24 hours critical incidents | incidents | severity=critical | 2026-11-24T10:30 2026-11-25T10:30
dns not to 10.0.0.2 or 10.0.0.3 | flows | service:dns -dst.ip:(10.0.0.2, 10.0.0.3)
top 10 destination ports of vlan 20 by packets | flows | vlan:20 |  | packets by dst.port 10
tls 1.2 or older to the internet | flows | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1, 1.2) direction:outbound
ssh sessions with more than 10000 packets | flows | service:ssh packets>10000
destination asns of outbound traffic | flows | direction:outbound |  | bytes by dst.asn 10
10.0.0.0/24 talking to 10.9.0.0/24 | flows | src.ip:10.0.0.0/24 dst.ip:10.9.0.0/24
who used example.com today in vlan 30 | devices | server_name:(example.com, *.example.com) device.vlan:30 | 2026-11-24T23:00 2026-11-25T10:30
most used websites of vlan 30 on monday | flows | vlan:30 | 2026-11-22T23:00 2026-11-23T23:00 | count by server_name 10 | noted
tickets for vlan 20 | incidents | vlan:20
new critical tickets in the last hour | incidents | first_seen:2026-11-25T09:30:00Z..2026-11-25T10:30:00Z severity=critical
how many tickets are unassigned | incidents | -assignee:* |  | count by  1
tickets by technique since monday | incidents |  | 2026-11-22T23:00 2026-11-25T10:30 | count by technique 10
all tickets about dns tunnels | incidents | detector=dns-tunnel
ids alerts by category for vlan 20 | flows | alert:* vlan:20 |  | count by alert.category 10
domain controllers with incidents this week | devices | device.type=domain_controller severity:* | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
file servers that sent data to the internet | devices | device.type=file_server direction:outbound
rogue dns servers in vlan 20 | incidents | detector=rogue-dns vlan:20
new beacons since yesterday | incidents | first_seen:2026-11-23T23:00:00Z..2026-11-25T10:30:00Z detector:(beacon, beacon-name)
beacons seen for the first time today | incidents | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z detector:(beacon, beacon-name)
is there a beacon on 10.0.0.5 | incidents | detector:(beacon, beacon-name) ip:10.0.0.5
who contacted as9009 or as64500 | devices | dst.asn:(AS9009, AS64500)
network traffic on monday between 6 and 14 | flows |  | 2026-11-23T05:00 2026-11-23T13:00
traffic to 10.0.5.2 yesterday at 7:30 | flows | dst.ip:10.0.5.2 | 2026-11-24T06:30 2026-11-24T07:00 |  | noted
bytes from vlan 50 to outside in november | flows | vlan:50 direction:outbound | 2026-10-31T23:00 2026-11-25T10:30 | bytes by  1
open incidents without technique | incidents | status:open -technique:*
devices without tags in the servers vlan | devices | -tag:* device.vlan:Servers
all assets of owner maria | devices | owner:maria
how many assets per type | devices |  |  | count by device.type 10
count of critical incidents this quarter | incidents | severity=critical | 2026-09-30T22:00 2026-11-25T10:30 | count by  1
transfers over 100 MB to the united kingdom since november 1 | flows | bytes>100MB dst.country:GB | 2026-10-31T23:00 2026-11-25T10:30
show me who has visited example.com | devices | server_name:(example.com, *.example.com)
10.0.0.5's uploads over 1 MB | flows | ip:10.0.0.5 src.bytes>1MB direction:outbound |  |  | noted
flows destined for 10.0.0.5 | flows | dst.ip:10.0.0.5
flows originating from 10.0.0.5 | flows | src.ip:10.0.0.5
flows terminating at 10.0.0.5 | flows | dst.ip:10.0.0.5
http traffic without user agent | flows | service:http -user_agent:*
icmp between 10.0.0.5 and 10.0.0.9 | flows | proto=icmp ip:10.0.0.5 ip:10.0.0.9
top sites of vlan 20 yesterday afternoon | flows | vlan:20 | 2026-11-24T11:00 2026-11-24T17:00 | count by server_name 10 | noted
which laptops visited netflix.com today | devices | device.type=workstation server_name:(netflix.com, *.netflix.com) | 2026-11-24T23:00 2026-11-25T10:30
phones not in the guests vlan | devices | device.type=phone -device.vlan:Guests
tickets of vlan 30 by severity | incidents | vlan:30 |  | count by severity 10
tickets involving russia or china | incidents | country:(RU, CN)
open tickets this month by device | incidents | status:open | 2026-10-31T23:00 2026-11-25T10:30 | count by device 10
number of open tickets per detector | incidents | status:open |  | count by detector 10
servers with unresolved incidents | devices | device.type:server status:(open, investigating)
devices with open critical incidents | devices | status:open severity=critical
ids alerts for vlan 20 without sid 2024897 | flows | alert:* vlan:20 -alert.id=2024897
suricata alerts to port 445 | flows | alert:* dst.port:445
zeek flows of 10.0.0.5 | flows | source:zeek ip:10.0.0.5
certificate issuer let's encrypt in vlan 30 | flows | certificate.issuer:"let's encrypt" vlan:30
internal ssh except from 10.0.0.2 | flows | direction:internal service:ssh -src.ip:10.0.0.2
scanners from outside today | incidents | detector=scan direction:inbound | 2026-11-24T23:00 2026-11-25T10:30
dga incidents by device | incidents | detector=dga |  | count by device 10
connections longer than 8 hours to the internet | flows | duration>8h direction:outbound
tls to ip 203.0.113.9 without sni | flows | service:tls dst.ip:203.0.113.9 -server_name:*
sensor alerts of 10.0.0.5 by signature | flows | alert:* ip:10.0.0.5 |  | count by alert 10
new servers in vlan 30 this month | devices | first_seen:2026-10-31T23:00:00Z..2026-11-25T10:30:00Z device.type:server device.vlan:30
traffic from 6am to 2pm today | flows |  | 2026-11-25T05:00 2026-11-25T10:30
yesterday's traffic to 10.0.5.2 | flows | dst.ip:10.0.5.2 | 2026-11-23T23:00 2026-11-24T23:00
last month's incidents by severity | incidents |  | 2026-09-30T22:00 2026-10-31T23:00 | count by severity 10
this morning's failed logins | flows | logon:failed | 2026-11-25T05:00 2026-11-25T10:30
monday's uploads over 1 GB | flows | src.bytes>1GB direction:outbound | 2026-11-22T23:00 2026-11-23T23:00 |  | noted
incidents from november 1 to november 15 by status | incidents |  | 2026-10-31T23:00 2026-11-15T23:00 | count by status 10
resolved incidents that were critical | incidents | status:resolved severity=critical
uploads to russia or china over 100 MB since monday | flows | dst.country:(RU, CN) src.bytes>100MB direction:outbound | 2026-11-22T23:00 2026-11-25T10:30
top signatures in vlan 20 | flows | vlan:20 |  | count by alert 10
top domains of printers | flows | device.type=printer |  | count by dns.query 10 | noted
top user agents to the internet | flows | direction:outbound |  | count by user_agent 10 | noted
count of flows per service in vlan 20 | flows | vlan:20 |  | count by service 10
how many open incidents per assignee | incidents | status:open |  | count by assignee 10
are there failed logins from russia on 10.0.0.9 | flows | logon:failed src.country:RU ip:10.0.0.9
give me the number of incidents by detector for vlan 20 | incidents | vlan:20 |  | count by detector 10
traffic to 198.51.100.77 over http by device | flows | dst.ip:198.51.100.77 service:http |  | bytes by device 10
any new host on vlan 10 since 8am | devices | first_seen:2026-11-25T07:00:00Z..2026-11-25T10:30:00Z device.vlan:10
cases in vlan 30 closed as false positive | incidents | vlan:30 status:false_positive
domain controllers that talk to the internet | devices | device.type=domain_controller direction:outbound
mail from 10.0.0.5 to russia | flows | service:smtp src.ip:10.0.0.5 dst.country:RU
ntp to the internet from vlan 50 | flows | service:ntp direction:outbound vlan:50
snmp from outside | flows | service:snmp direction:inbound
ssh with hassh ec7378c1a92f5a8dde7e8b7a1ddf33d1 | flows | service:ssh hassh:ec7378c1a92f5a8dde7e8b7a1ddf33d1
how many devices belong to maria | devices | owner:maria |  | count by  1
how many log-ons failed per hour yesterday | flows | logon:failed | 2026-11-23T23:00 2026-11-24T23:00 | count by  1 1h
how many incidents involve 10.0.0.5 | incidents | ip:10.0.0.5 |  | count by  1
how much dns traffic | flows | service:dns |  | bytes by  1
bandwidth of 10.0.0.5 over the last day | flows | ip:10.0.0.5 | 2026-11-24T10:30 2026-11-25T10:30
volume of smb between 10.0.0.5 and 10.0.0.9 | flows | service:smb ip:10.0.0.5 ip:10.0.0.9 |  | bytes by  1
packets by protocol from 10.0.0.5 | flows | src.ip:10.0.0.5 |  | packets by proto 10
what went to russia over the weekend | flows | dst.country:RU | 2026-11-20T23:00 2026-11-22T23:00
what is connected to 10.0.0.5 | flows | dst.ip:10.0.0.5
telnet sessions by source | flows | service:telnet |  | count by src.ip 10
devices without tag in vlan 20 | devices | -tag:* device.vlan:20
low incidents of the last 30 days by detector | incidents | severity=low | 2026-10-26T10:30 2026-11-25T10:30 | count by detector 10
scans of vlan 30 yesterday night | incidents | detector=scan vlan:30 | 2026-11-24T19:00 2026-11-25T05:00
dns traffic of the domain controller to the internet | flows | service:dns device.type=domain_controller direction:outbound
what user agents does 10.0.0.5 use | flows | src.ip:10.0.0.5 |  | count by user_agent 10 | noted
what devices have tag pci | devices | tag=pci
what devices have no incidents | devices | -severity:*
which incidents have no technique | incidents | -technique:*
show devices by risk above 50 | devices | device.score>50
show incidents first seen yesterday | incidents | first_seen:2026-11-23T23:00:00Z..2026-11-24T23:00:00Z
show incidents of medium or higher severity for vlan 20 | incidents | severity>=medium vlan:20
show traffic to and from 203.0.113.9 | flows | ip:203.0.113.9
show external traffic of 10.0.0.5 | flows | direction:(inbound, outbound) ip:10.0.0.5
show me tls | flows | service:tls
count devices | devices |  |  | count by  1
count open incidents by severity | incidents | status:open |  | count by severity 10
count of scans from russia | incidents | detector=scan src.country:RU |  | count by  1
number of dns lookups of example.com | flows | dns.query:(example.com, *.example.com) |  | count by  1
number of ssh sessions to 10.0.0.9 from outside | flows | service:ssh dst.ip:10.0.0.9 direction:inbound |  | count by  1
total bytes of 10.0.0.5 today | flows | ip:10.0.0.5 | 2026-11-24T23:00 2026-11-25T10:30 | bytes by  1
traffic over 80 MB | flows | bytes>80MB |  |  | noted
traffic under 1 kB to port 53 | flows | bytes<1kB dst.port:53 |  |  | noted
traffic after 18:00 yesterday | flows |  | 2026-11-24T17:00 2026-11-25T10:30
traffic before 8:00 today | flows |  | 2026-11-24T23:00 2026-11-25T07:00
traffic on the 24th | flows |  | 2026-11-23T23:00 2026-11-24T23:00
traffic in the last 90 seconds | flows |  | 2026-11-25T10:28 2026-11-25T10:30
traffic a week ago | flows |  | 2026-11-17T23:00 2026-11-18T23:00
5 top talkers | flows |  |  | bytes by src.ip 5
most common tls versions | flows |  |  | count by tls.version 10
is there smb to the internet | flows | service:smb direction:outbound
is there an incident for 10.0.0.5 | incidents | ip:10.0.0.5
do we have telnet | flows | service:telnet
was there rdp from germany or france | flows | service:rdp src.country:(DE, FR)
i want incidents of vlan 20 by severity | incidents | vlan:20 |  | count by severity 10
i want to see who talked to russia | devices | dst.country:RU
anything from 10.0.0.5 to 10.0.0.9 over 1 MB | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 bytes>1MB |  |  | noted
unassigned beacons | incidents | -assignee:* detector:(beacon, beacon-name)
unresolved incidents of last month | incidents | status:(open, investigating) | 2026-09-30T22:00 2026-10-31T23:00
failed ssh from russia to 10.0.0.9 | flows | service:ssh src.country:RU dst.ip:10.0.0.9 logon:failed
failed logins of 10.0.0.5 by account | flows | logon:failed ip:10.0.0.5 |  | count by user 10
incoming flows over 100 MB | flows | direction:inbound bytes>100MB
incoming mail from russia | flows | direction:inbound service:smtp src.country:RU
outgoing dns not to 10.0.0.2 | flows | direction:outbound service:dns -dst.ip:10.0.0.2
internal traffic of vlan 20 by service | flows | direction:internal vlan:20 |  | bytes by service 10
internal connections to port 3389 by source | flows | direction:internal dst.port:3389 |  | count by src.ip 10
external dns lookups | flows | direction:(inbound, outbound) dns.query:*
inbound to vlan 20 over ssh | flows | direction:inbound vlan:20 service:ssh
outbound to as9009 from servers | flows | direction:outbound dst.asn:AS9009 device.type:server
critical vlan 20 | incidents | severity=critical vlan:20
medium incidents not assigned to bob | incidents | severity=medium -assignee:bob
assigned to bob or ada | incidents | assignee:(bob, ada)
who opened ssh to the internet after 20:00 yesterday | devices | service:ssh direction:outbound | 2026-11-24T19:00 2026-11-25T10:30
hosts in 10.0.0.0/24 | devices | device.ip:10.0.0.0/24
hosts with failed logins from russia | devices | logon:failed src.country:RU
hosts owned by sales | devices | owner:sales
computers that were new last week | devices | first_seen:2026-11-15T23:00:00Z..2026-11-22T23:00:00Z
servers using ftp to the internet | devices | device.type:server service:ftp direction:outbound
phones with risk above 30 | devices | device.type=phone device.score>30
printers with unknown owner | devices | device.type=printer -owner:*
domain controllers with failed logins from outside | devices | device.type=domain_controller logon:failed direction:inbound
incidents after 6pm yesterday | incidents |  | 2026-11-24T17:00 2026-11-25T10:30
incidents with flows to russia | incidents | dst.country:RU
incidents with brute force on ssh | incidents | detector=brute-force service:ssh
incidents not about scans | incidents | -detector=scan
incidents excluding low severity | incidents | -severity=low
incidents lower than high | incidents | severity<high
incidents at least high | incidents | severity>=high
incidents which are not assigned | incidents | -assignee:*
incidents per hour yesterday | incidents |  | 2026-11-23T23:00 2026-11-24T23:00 | count by  1 1h
incidents over dns | incidents | service:dns
incidents over tls to as9009 | incidents | service:tls dst.asn:AS9009
beacons with tls | incidents | detector:(beacon, beacon-name) service:tls
scans by as64500 | incidents | detector=scan src.asn:AS64500
scans on telnet | incidents | detector=scan service:telnet
brute force on rdp from russia yesterday | incidents | detector=brute-force service:rdp src.country:RU | 2026-11-23T23:00 2026-11-24T23:00
exfiltration to dropbox.com | incidents | detector=exfiltration server_name:(dropbox.com, *.dropbox.com)
ddos from outside | incidents | detector=flood direction:inbound
spam by 10.0.0.5 | incidents | detector=mass-mail src.ip:10.0.0.5
certificate problems on vlan 30 | incidents | detector=certificate vlan:30
tls with certificate issuer digicert to port 8443 | flows | service:tls certificate.issuer:digicert dst.port:8443
http get requests to 203.0.113.9 | flows | http.method=GET dst.ip:203.0.113.9
http downloads over 10 MB from outside | flows | service:http dst.bytes>10MB direction:outbound
dns queries per domain | flows | dns.query:* |  | count by dns.query 10 | noted
dns queries at 3am | flows | dns.query:* | 2026-11-25T02:00 2026-11-25T02:30 |  | noted
txt records of evil.example | flows | dns.type=TXT dns.query:(evil.example, *.evil.example)
ssh failures from 10.0.0.5 | flows | service:ssh src.ip:10.0.0.5 logon:failed
mqtt to the internet | flows | service:mqtt direction:outbound
irc connections last month | flows | service:irc | 2026-09-30T22:00 2026-10-31T23:00
udp over 1 MB | flows | proto=udp bytes>1MB |  |  | noted
how many devices per owner | devices |  |  | count by owner 10
how many logins from russia failed | flows | src.country:RU logon:failed |  | count by  1
how many lookups of evil.example today | flows | dns.query:(evil.example, *.evil.example) | 2026-11-24T23:00 2026-11-25T10:30 | count by  1
how many printers are in vlan 20 | devices | device.type=printer device.vlan:20 |  | count by  1
how many flows per service today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | count by service 10
how many flows had more than 1 GB | flows | bytes>1GB |  | count by  1
how many bytes per hour yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1 1h
on monday who talked to russia | devices | dst.country:RU | 2026-11-22T23:00 2026-11-23T23:00
yesterday ssh from outside | flows | service:ssh direction:inbound | 2026-11-23T23:00 2026-11-24T23:00
in november uploads over 1 GB to russia | flows | src.bytes>1GB dst.country:RU direction:outbound | 2026-10-31T23:00 2026-11-25T10:30
between 8 and 9 today dns of 10.0.0.5 | flows | service:dns ip:10.0.0.5 | 2026-11-25T07:00 2026-11-25T08:00
since yesterday open incidents by detector | incidents | status:open | 2026-11-23T23:00 2026-11-25T10:30 | count by detector 10
flows with servers from outside | flows | device.type:server direction:inbound
flows with failed logins | flows | logon:failed
flows with intel hits to russia | flows | intel:* dst.country:RU
flows from 10.0.0.5 or 10.0.0.6 to port 22 or 23 | flows | src.ip:(10.0.0.5, 10.0.0.6) dst.port:(22, 23)
flows to and from servers | flows | device.type:server
flows to example.com not over tls | flows | server_name:(example.com, *.example.com) -service:tls
flows to russia of more than 5 minutes | flows | dst.country:RU duration>5m
flows to russia without server name | flows | dst.country:RU -server_name:*
flows inside vlan 20 | flows | direction:internal vlan:20
flows around 10:00 to 10.0.0.9 | flows | dst.ip:10.0.0.9 | 2026-11-25T09:00 2026-11-25T09:30 |  | noted
flows per sensor | flows |  |  | count by sensor 10
flows per direction yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | count by direction 10
flows by 10.0.0.5 | flows | src.ip:10.0.0.5
devices with dns to 8.8.8.8 | devices | service:dns dst.ip:8.8.8.8
devices with tag pci in vlan 20 without owner | devices | tag=pci device.vlan:20 -owner:*
devices on vlan 20 today | devices | device.vlan:20 | 2026-11-24T23:00 2026-11-25T10:30
devices not owned by maria | devices | -owner:maria
incidents on 10.0.0.9 from outside | incidents | ip:10.0.0.9 direction:inbound
devices contacted by 203.0.113.9 | devices | src.ip:203.0.113.9
top talkers over ssh | flows | service:ssh |  | bytes by src.ip 10
top devices by packets | flows |  |  | packets by device 10
top services of vlan 20 by bytes | flows | vlan:20 |  | bytes by service 10
top 3 detectors | incidents |  |  | count by detector 3
which names resolve to 203.0.113.9 | flows | dns.answer:203.0.113.9 dns.query:*
who uses tls 1.1 to the internet | devices | tls.version:1.1 direction:outbound
who visited evil.example from vlan 20 | devices | server_name:(evil.example, *.evil.example) device.vlan:20
who visited evil.example over http | devices | server_name:(evil.example, *.evil.example) service:http
who was contacted by russia | devices | src.country:RU
who is in vlan 20 | devices | device.vlan:20
what is beaconing | incidents | detector:(beacon, beacon-name)
what is open | incidents | status:open
what is critical | incidents | severity=critical
what is assigned to ada | incidents | assignee:ada
what is tagged pci | devices | tag=pci
what is talking to russia | flows | dst.country:RU
what data went to russia | flows | dst.country:RU
what servers are in vlan 30 | devices | device.type:server device.vlan:30
what traffic is inbound | flows | direction:inbound
what traffic has no tls | flows | -service:tls
what logins failed yesterday | flows | logon:failed | 2026-11-23T23:00 2026-11-24T23:00
dns for evil.example from 10.0.0.5 this week | flows | service:dns dns.query:(evil.example, *.evil.example) src.ip:10.0.0.5 | 2026-11-22T23:00 2026-11-25T10:30
rdp into 10.0.0.9 | flows | service:rdp dst.ip:10.0.0.9
ssh after midnight | flows | service:ssh | 2026-11-24T23:00 2026-11-25T10:30
ssh but not from 10.0.0.2 | flows | service:ssh -src.ip:10.0.0.2
ftp yesterday from 10.0.0.0/24 | flows | service:ftp src.ip:10.0.0.0/24 | 2026-11-23T23:00 2026-11-24T23:00
smtp to outside not from 10.0.0.25 | flows | service:smtp direction:outbound -src.ip:10.0.0.25
ntp except to 10.0.0.1 | flows | service:ntp -dst.ip:10.0.0.1
mqtt from iot devices to outside | flows | service:mqtt device.type=iot direction:outbound
vnc from outside to workstations | flows | service:vnc direction:inbound device.type=workstation
irc to russia | flows | service:irc dst.country:RU
quic from 10.0.0.5 over 100 MB | flows | service:quic src.ip:10.0.0.5 bytes>100MB |  |  | noted
icmp from russia | flows | proto=icmp src.country:RU
tcp with fewer than 3 packets to port 445 | flows | proto=tcp packets<3 dst.port:445
downloads over http over 10 MB | flows | service:http dst.bytes>10MB
transfers from servers to outside at 3am | flows | device.type:server direction:outbound | 2026-11-25T02:00 2026-11-25T02:30 |  | noted
transfers over smb above 1 GB | flows | service:smb bytes>1GB
logins with kerberos from outside | flows | service:krb direction:inbound logon:*
logins failed from 10.0.0.5 | flows | src.ip:10.0.0.5 logon:failed
logins at 2am | flows | logon:* | 2026-11-25T01:00 2026-11-25T01:30 |  | noted
logins per hour today | flows | logon:* | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 1h
failed logins per source this week | flows | logon:failed | 2026-11-22T23:00 2026-11-25T10:30 | count by src.ip 10
lookups by 10.0.0.5 over tcp | flows | src.ip:10.0.0.5 proto=tcp dns.query:*
alerts per signature for vlan 20 | flows | vlan:20 alert:* |  | count by alert 10
alerts by category this month | flows | alert:* | 2026-10-31T23:00 2026-11-25T10:30 | count by alert.category 10
ids alerts from vlan 20 to outside | flows | alert:* vlan:20 direction:outbound
ids alerts not for 10.0.0.5 | flows | alert:* -ip:10.0.0.5
anomalies from vlan 20 to the internet | flows | anomaly:* vlan:20 direction:outbound
anomalies by sensor | flows | anomaly:* |  | count by sensor 10 | noted
risk above 70 in vlan 20 | devices | device.score>70 device.vlan:20
status open by assignee | incidents | status:open |  | count by assignee 10
severity high or critical since monday | incidents | severity:(high, critical) | 2026-11-22T23:00 2026-11-25T10:30
Show outbound traffic to Russia or Iran above 10 MB | flows | direction:outbound dst.country:(RU, IR) bytes>10MB |  |  | noted
Show DNS tunnel incidents that are still open | incidents | detector=dns-tunnel status:(open, investigating)
Which devices appeared on the network today? | devices | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z
Any SSH from the internet to our servers since Monday? | flows | service:ssh direction:inbound device.type:server | 2026-11-22T23:00 2026-11-25T10:30
Show connections to 10.0.5.2 between 2 and 4 am | flows | dst.ip:10.0.5.2 | 2026-11-25T01:00 2026-11-25T03:00
How many devices are in VLAN 50? | devices | device.vlan:50 |  | count by  1
All closed incidents without an assignee | incidents | status:(resolved, false_positive) -assignee:*
Systems that contacted AS9009 since October | devices | dst.asn:AS9009 | 2026-09-30T22:00 2026-11-25T10:30
Show all log-ons of the account svc-backup between November 1 and November 10 | flows | user:svc-backup logon:* | 2026-10-31T23:00 2026-11-10T23:00
Which computers is connecting to China? | devices | dst.country:CN
Show me please the incidents what are not closed | incidents | status:(open, investigating)
Who have contacted 203.0.113.9? | devices | dst.ip:203.0.113.9
All DNS questions of 10.0.0.5 in last hour | flows | ip:10.0.0.5 dns.query:* | 2026-11-25T09:30 2026-11-25T10:30
Traffic to 203.0.113.9 after November 10 | flows | dst.ip:203.0.113.9 | 2026-11-10T23:00 2026-11-25T10:30
top talkers on vlan 30 in the last 15 minutes | flows | vlan:30 | 2026-11-25T10:15 2026-11-25T10:30 | bytes by src.ip 10
bandwidth per vlan for the past hour | flows |  | 2026-11-25T09:30 2026-11-25T10:30 | bytes by vlan 10
ipv6 flows leaving the site | flows | ip:"::/0" direction:outbound
what did the guest network look up yesterday | flows | vlan:Guests dns.query:* | 2026-11-23T23:00 2026-11-24T23:00
how many tickets per severity this week | incidents |  | 2026-11-22T23:00 2026-11-25T10:30 | count by severity 10
tickets with beaconing to Russia | incidents | detector:(beacon, beacon-name) dst.country:RU
Any exfiltration over DNS in the last 7 days? | incidents | detector=exfiltration service:dns | 2026-11-18T10:30 2026-11-25T10:30
List TLS sessions without SNI to external addresses | flows | service:tls -server_name:* direction:outbound
Show POST requests to external hosts over 5 MB | flows | http.method=POST direction:outbound src.bytes>5MB
Outbound traffic of 10.0.5.2 in the last 7 days | flows | direction:outbound ip:10.0.5.2 | 2026-11-18T10:30 2026-11-25T10:30
Traffic to 10.0.5.2 by source | flows | dst.ip:10.0.5.2 |  | bytes by src.ip 10
What did 10.0.5.9 send to the internet? | flows | src.ip:10.0.5.9 direction:outbound
List all servers reachable from the internet | devices | device.type:server direction:inbound
All exfiltration incidents since January | incidents | detector=exfiltration | 2025-12-31T23:00 2026-11-25T10:30
Which systems have not been seen for 90 days? | devices | last_seen<-90d
Tell which computers has incidents | devices | severity:*
Printers without VLAN | devices | device.type=printer -device.vlan:*
flows > 1 GB today | flows | bytes>1GB | 2026-11-24T23:00 2026-11-25T10:30
traffic without vlan | flows | -vlan:*
Tickets of the last 2 hours by device | incidents |  | 2026-11-25T08:30 2026-11-25T10:30 | count by device 10
Which hosts sent data to 198.51.100.20 yesterday? | devices | dst.ip:198.51.100.20 | 2026-11-23T23:00 2026-11-24T23:00
How many incidents were opened since Monday? | incidents | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z |  | count by  1
Are there any floods? | incidents | detector=flood
List devices with risk above 60 in VLAN 20 | devices | device.score>60 device.vlan:20
Show connections without TLS to the internet | flows | -service:tls direction:outbound
Show incidents of the last two hours by severity | incidents |  | 2026-11-25T08:30 2026-11-25T10:30 | count by severity 10
Show ICMP from outside | flows | proto=icmp direction:inbound
Show flows longer than one hour to 203.0.113.9 | flows | duration>1h dst.ip:203.0.113.9
Show log-ons with Kerberos on Monday | flows | service:krb logon:* | 2026-11-22T23:00 2026-11-23T23:00
Show incidents assigned to Ada or Bob | incidents | assignee:(Ada, Bob)
Show inbound connections that lasted more than 10 minutes | flows | direction:inbound duration>10m
Any incident with exfiltration to China? | incidents | detector=exfiltration dst.country:CN
Show RDP to port 3390 | flows | service:rdp dst.port:3390
Show all traffic on November 20 between 9 and 10 am by service | flows |  | 2026-11-20T08:00 2026-11-20T09:00 | bytes by service 10
Which devices have no VLAN? | devices | -device.vlan:*
Which scans were internal? | incidents | detector=scan direction:internal
Which devices have an owner but no tag? | devices | owner:* -tag:*
Show flows with JA3 e7d705a3286e19ea42f587b344ee6865 to Russia | flows | ja3:e7d705a3286e19ea42f587b344ee6865 dst.country:RU
Show incidents with risk above 50 | incidents | device.score>50
Show UDP flows over 10 MB to outside | flows | proto=udp bytes>10MB direction:outbound
Show traffic to 203.0.113.9 grouped by device | flows | dst.ip:203.0.113.9 |  | bytes by device 10
Show anomalies on 10.0.0.9 | flows | anomaly:* ip:10.0.0.9
Show flows at 10:15 on November 20 | flows |  | 2026-11-20T09:15 2026-11-20T09:45 |  | noted
Which devices were new on November 20? | devices | first_seen:2026-11-19T23:00:00Z..2026-11-20T23:00:00Z
Show logins before 6 am | flows | logon:* | 2026-11-24T23:00 2026-11-25T05:00
Give me failed log-ons by account for the past 24 hours | flows | logon:failed | 2026-11-24T10:30 2026-11-25T10:30 | count by user 10
Any RDP from the internet to the domain controller? | flows | service:rdp direction:inbound device.type=domain_controller
Show all traffic to port 4444 this week | flows | dst.port:4444 | 2026-11-22T23:00 2026-11-25T10:30
Top destinations of VLAN 30 by packets | flows | vlan:30 |  | packets by dst.ip 10
Are there open incidents about exfiltration? | incidents | status:open detector=exfiltration
Show HTTP to outside without TLS | flows | service:http direction:outbound -service:tls
Which devices belong to Accounting? | devices | owner:Accounting
Show DNS queries for *.ru by VLAN | flows | dns.query:*.ru |  | count by vlan 10
New printers since October | devices | first_seen:2026-09-30T22:00:00Z..2026-11-25T10:30:00Z device.type=printer
Failed logins between 2 and 4 am today | flows | logon:failed | 2026-11-25T01:00 2026-11-25T03:00
What talks to the internet over UDP? | flows | direction:outbound proto=udp
Traffic of 10.0.0.0/24 to Russia | flows | ip:10.0.0.0/24 dst.country:RU
Flows of printers over 10 MB to outside | flows | device.type=printer bytes>10MB direction:outbound
Show tickets of the last 7 days by status | incidents |  | 2026-11-18T10:30 2026-11-25T10:30 | count by status 10
Show port scans of 10.0.0.0/16 yesterday | incidents | detector=scan ip:10.0.0.0/16 | 2026-11-23T23:00 2026-11-24T23:00
List devices by owner | devices |  |  | count by owner 10
DNS requests by the domain controller to outside | flows | device.type=domain_controller direction:outbound dns.query:*
Show flows to 203.0.113.9 on any port but 443 | flows | dst.ip:203.0.113.9 dst.port!=443 |  |  | noted
Show incidents of detector dns-tunnel for 10.0.0.5 | incidents | detector=dns-tunnel ip:10.0.0.5
Show DHCP from 10.0.0.9 | flows | service:dhcp src.ip:10.0.0.9
Show Modbus traffic to 10.0.5.2 by source | flows | service:modbus dst.ip:10.0.5.2 |  | bytes by src.ip 10
Top user agents of outbound HTTP | flows | direction:outbound service:http |  | count by user_agent 10 | noted
Incidents by assignee since Monday | incidents |  | 2026-11-22T23:00 2026-11-25T10:30 | count by assignee 10
Show everything to and from VLAN 50 | flows | vlan:50
Which alerts are unassigned? | incidents | -assignee:*
Flows with over 1000 packets from outside | flows | packets>1000 direction:inbound
Devices not seen since November 1 | devices | last_seen<2026-10-31T23:00:00Z
Show the DNS servers of VLAN 20 | devices | device.type=dns_server device.vlan:20
Show TLS without certificate to Russia | flows | service:tls -certificate:* dst.country:RU
Show detections on 10.0.0.9 for the last 3 days | incidents | ip:10.0.0.9 | 2026-11-22T10:30 2026-11-25T10:30
Which flows have the user svc-backup? | flows | user:svc-backup
Show ICMP from 10.0.0.5 to the internet | flows | proto=icmp src.ip:10.0.0.5 direction:outbound
Any DGA on workstations? | incidents | detector=dga device.type=workstation
Show traffic to tiktok.com by VLAN this week | flows | server_name:(tiktok.com, *.tiktok.com) | 2026-11-22T23:00 2026-11-25T10:30 | bytes by vlan 10
Traffic of yesterday night by service | flows |  | 2026-11-24T19:00 2026-11-25T05:00 | bytes by service 10
Are there devices with risk over 90? | devices | device.score>90
Failed SSH log-ons from AS64500 | flows | service:ssh src.asn:AS64500 logon:failed
Who talks to 203.0.113.0/24 over TLS 1.0? | devices | dst.ip:203.0.113.0/24 tls.version:1.0
Any flows from 10.0.0.5 to port 3389? | flows | src.ip:10.0.0.5 dst.port:3389
Show open incidents by technique | incidents | status:open |  | count by technique 10
Show critical incidents since the 20th | incidents | severity=critical | 2026-11-19T23:00 2026-11-25T10:30
Which printers have no owner? | devices | device.type=printer -owner:*
Show the traffic of 10.0.0.5 by destination | flows | ip:10.0.0.5 |  | bytes by dst.ip 10
Which devices talked to Russia on November 20? | devices | dst.country:RU | 2026-11-19T23:00 2026-11-20T23:00
Were there DNS tunnels last week? | incidents | detector=dns-tunnel | 2026-11-15T23:00 2026-11-22T23:00
Show telnet from outside to VLAN 50 | flows | service:telnet direction:inbound vlan:50
`;
