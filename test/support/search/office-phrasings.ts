// Two lots of questions of offices and their administrators. When they were first asked, 10 and 3 were answered wrongly
// without a note.

/** As `ASKED_PHRASINGS`. */
export const OFFICE_PHRASINGS = `
good morning, anything critical since i left on friday | declined
did something happen while we were away | declined
which customer devices reach our database server | declined
database server connections from outside the office | flows | device.type=database_server -vlan:Office |  |  | noted
who is connected to the database server | flows | device.type=database_server |  |  | noted
is the database server talking to the internet | devices | device.type=database_server direction:outbound |  |  | noted
is the backup server still sending to 198.51.100.20 | declined
how much did the backup server send last night | declined
how much did the backup server receive last night | declined
did the backup run last night | declined
largest transfers of the backup server | declined
transfers between the file server and the backup server | declined
nightly transfers over 10 GB | declined
what does the web server download | flows | device.type=web_server |  |  | noted
who downloads from the web server | flows | device.type=web_server |  |  | noted
who uploads to the web server | flows | device.type=web_server |  |  | noted
uploads of Desk 3 to the file server | flows | (device:"desk 3" or owner:"desk 3" or server_name:"*desk 3*") device.type=file_server |  |  | noted
clients of the file server | flows | device.type=file_server |  |  | noted
users of the file server | flows | device.type=file_server |  | count by user 10 | noted
accounts on the file server | flows | device.type=file_server |  | count by user 10 | noted
which accounts log in to the domain controller | flows | device.type=domain_controller logon:* |  | count by user 10 | noted
which accounts fail most | declined
which devices fail to log in | devices | logon:failed |  |  | noted
failed logins between 1 and 5 am | flows | logon:failed | 2026-11-25T00:00 2026-11-25T04:00
failed logins from workstations to servers | flows | logon:failed device.type=workstation device.type:server |  |  | noted
failed logins over rdp from outside | flows | logon:failed service:rdp direction:inbound
logins with user root from russia | flows | user:root src.country:RU logon:* |  |  | noted
login from germany to the vpn | flows | src.country:DE user:vpn logon:* |  |  | noted
logins from abroad | flows | direction:inbound logon:*
who logged in from abroad | devices | direction:inbound logon:* |  |  | noted
logins by foreigners | flows | user:foreigners logon:* |  |  | noted
traffic by foreigners | flows | device:foreigners or owner:foreigners |  |  | noted
visitors to our website | flows | server_name:* |  |  | noted
visitors from china | flows | src.country:CN |  |  | noted
requests to our web server from abroad | flows | device.type=web_server direction:inbound
requests by bots | flows | device:bots or owner:bots |  |  | noted
http requests without user agent | flows | service:http -user_agent:*
http requests with status 500 | flows | service:http http.status=500
errors of the web server | declined
error 404 from 10.0.0.5 | declined
http methods used by 10.0.0.5 | flows | src.ip:10.0.0.5 |  | count by http.method 10 | noted
http hosts contacted by servers | flows | http.host:* device.type:server |  |  | noted
server names seen from guests | flows | server_name:* vlan:Guests |  |  | noted
sni of Desk 3 | flows | server_name:* (device:"desk 3" or owner:"desk 3") |  |  | noted
tls 1.3 traffic | flows | tls.version:1.3
tls traffic without sni | flows | service:tls -server_name:*
ssl to russia on a strange port | declined
self signed certificates in vlan 20 | incidents | title:self-signed vlan:20 |  |  | noted
certificates of example.com | flows | certificate:* server_name:(example.com, *.example.com) |  |  | noted
certificate issuers | flows | certificate.issuer:* |  |  | noted
who issues our certificates | declined
dns requests from servers to the internet | flows | device.type:server direction:outbound dns.query:*
dns requests to servers other than 10.0.0.2 | flows | device.type:server -ip:10.0.0.2 dns.query:* |  |  | noted
dns to 8.8.8.8 from guests | flows | service:dns dst.ip:8.8.8.8 vlan:Guests |  |  | noted
txt records from desk 3 | flows | dns.type=TXT (device:"desk 3" or owner:"desk 3") |  |  | noted
mx lookups by workstations | declined
who asked for wpad | flows | (device:wpad or owner:wpad) dns.query:* |  |  | noted
lookups of .local names | flows | dns.query:*.local |  |  | noted
dns answers with private addresses | declined
dns answers from 203.0.113.5 | flows | dns.answer:* dst.ip:203.0.113.5 |  |  | noted
names that resolve to 203.0.113.5 | flows | dns.answer:203.0.113.5
what is the name of 203.0.113.5 | devices | device.ip:203.0.113.5 |  |  | noted
which names did 10.0.0.5 resolve | flows | src.ip:10.0.0.5 dns.query:* |  |  | noted
reverse lookups | declined
icmp from outside | flows | proto=icmp direction:inbound
pings to servers | flows | proto=icmp device.type:server |  |  | noted
who pings 10.0.0.5 | devices | proto=icmp device.ip:10.0.0.5 |  |  | noted
pings from 10.0.0.5 | flows | proto=icmp src.ip:10.0.0.5
udp to outside on port 53 | flows | proto=udp direction:outbound dst.port:53 |  |  | noted
tcp 22 from vlan 10 to vlan 20 | flows | proto=tcp dst.port:22 device.vlan:10 device.vlan:20 |  |  | noted
tcp and udp on port 53 | flows | proto=(tcp, udp) dst.port:53 |  |  | noted
port 53 not dns | flows | dst.port:53 -service:dns |  |  | noted
port 443 to iran | flows | dst.port:443 dst.country:IR |  |  | noted
ports 135 to 139 | flows | dst.port:135..139 |  |  | noted
ports 80, 443 and 8080 | flows | dst.port:(80, 443, 8080) |  |  | noted
ports between 1000 and 2000 | flows | dst.port:1000..2000 |  |  | noted
vnc from outside | flows | service:vnc direction:inbound
vnc or rdp into vlan 30 | flows | service:(vnc, rdp) vlan:30 |  |  | noted
ldap outside | flows | service:ldap direction:outbound |  |  | noted
kerberos from the internet | flows | service:krb direction:inbound
snmp to printers | flows | service:snmp device.type=printer |  |  | noted
snmp from printers | flows | service:snmp device.type=printer |  |  | noted
ntp to the outside by cameras | flows | service:ntp direction:outbound device.type=camera
mqtt devices | devices | service:mqtt |  |  | noted
sip phones | devices | service:sip device.type=phone |  |  | noted
modbus clients | devices | service:modbus |  |  | noted
modbus servers | devices | service:modbus device.type:server |  |  | noted
dhcp in the servers vlan | flows | service:dhcp vlan:Servers
quic by guests | flows | service:quic vlan:Guests |  |  | noted
irc anywhere | flows | service:irc |  |  | noted
mail servers | devices | device.type=mail_server
our mail servers | devices | device.type=mail_server
foreign mail servers | declined
dns servers we use | devices | device.type=dns_server |  |  | noted
external dns servers | devices | direction:(inbound, outbound) device.type=dns_server |  |  | noted
internal dns servers | devices | device.type=dns_server |  |  | noted
routers | devices | device.type=router
the router | devices | device.type=router
the gateway's traffic | flows | device.type=router |  |  | noted
unknown servers | declined
known servers | declined
servers | devices | device.type:server
server incidents | incidents | device.type:server |  |  | noted
server with most incidents | incidents | device.type:server |  | count by device 10 | noted
servers with the most traffic | flows | device.type:server |  | bytes by device 10 | noted
printer with the most traffic | flows | device.type=printer |  | bytes by device 10 | noted
cameras by traffic | declined
cameras by vlan | devices | device.type=camera |  | count by device.vlan 10
vlans by number of devices | declined
devices per vlan | devices |  |  | count by device.vlan 10
devices per owner | devices |  |  | count by owner 10
devices per type | devices |  |  | count by device.type 10
device count | devices |  |  | count by  1 | noted
count devices in guests | devices | device.vlan:Guests |  | count by  1 | noted
count of flows to russia | flows | dst.country:RU |  | count by  1
count flows per country | flows |  |  | count by dst.country 10 | noted
total upload of guests | declined
total download today | declined
bandwidth per service | flows |  |  | bytes by service 10
bandwidth of 10.0.0.5 per hour | flows | ip:10.0.0.5 | 2026-11-24T10:30 2026-11-25T10:30 | bytes by  1 1h | noted
peak traffic | declined
average traffic per hour | declined
traffic yesterday compared to today | declined
traffic over 1 GB per device | flows | bytes>1GB |  | bytes by device 10 | noted
devices over 1 GB | devices | bytes>1GB |  |  | noted
guests over 500 MB | flows | vlan:Guests bytes>500MB |  |  | noted
connections over 1 hour to china | flows | duration>1h dst.country:CN |  |  | noted
short connections | declined
small flows | declined
empty flows | declined
flows with 0 bytes | declined
flows of 1 packet | declined
flows with more than 1000 packets | flows | packets>1000
long uploads | flows | direction:outbound duration>=1h |  |  | noted
long lasting ssh | flows | service:ssh duration>=1h |  |  | noted
persistent connections to russia | flows | dst.country:RU duration>=1h |  |  | noted
regular connections | declined
repeated connections to 203.0.113.5 | declined
scheduled connections | declined
suspicious traffic from desk 3 | flows | device.score>=40 (device:"desk 3" or owner:"desk 3") |  |  | noted
suspicious logins | flows | device.score>=40 logon:* |  |  | noted
suspicious devices | devices | device.score>=40 |  |  | noted
bad devices | devices | intel:* |  |  | noted
bad servers contacted by guests | flows | intel:* vlan:Guests |  |  | noted
known bad ips | flows | intel:* |  |  | noted
blocked traffic | declined
allowed traffic | declined
encrypted traffic | declined
important incidents | incidents | severity>=high |  |  | noted
urgent stuff for me | incidents | severity>=high |  |  | noted
incidents that need attention | declined
incidents in progress by ada | incidents | status:investigating assignee:ada |  |  | noted
incidents being handled | declined
show me all open critical incidents | incidents | status:open severity=critical
any new incidents since this morning | incidents | first_seen:2026-11-25T05:00:00Z..2026-11-25T10:30:00Z
what are the top talkers right now | flows |  | 2026-11-25T10:15 2026-11-25T10:30 | bytes by src.ip 10 | noted
list every device that talked to 185.220.101.4 | devices | dst.ip:185.220.101.4
has anyone contacted 185.220.101.4 in the past week | devices | dst.ip:185.220.101.4 | 2026-11-18T10:30 2026-11-25T10:30 |  | noted
which internal hosts contacted 185.220.101.0/24 | devices | dst.ip:185.220.101.0/24 |  |  | noted
how many hosts contacted 185.220.101.4 | devices | dst.ip:185.220.101.4 |  | count by  1 | noted
when did 10.0.0.5 first contact 185.220.101.4 | declined
first seen of 10.0.0.5 | flows | ip:10.0.0.5 |  |  | noted
show me flows from 10.0.0.5 to 10.0.0.9 on port 445 yesterday | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 dst.port:445 | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
did 10.0.0.5 talk to 10.0.0.9 on port 445 | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 dst.port:445 |  |  | noted
all smb traffic between 10.0.0.5 and 10.0.0.9 since monday | flows | service:smb ip:10.0.0.5 ip:10.0.0.9 | 2026-11-22T23:00 2026-11-25T10:30
show rdp from 10.0.0.5 | flows | service:rdp src.ip:10.0.0.5
show rdp to 10.0.0.5 | flows | service:rdp dst.ip:10.0.0.5
who rdp'd into 10.0.0.5 | declined
who connected to 10.0.0.5 over rdp | devices | dst.ip:10.0.0.5 service:rdp -device.ip:10.0.0.5 |  |  | noted
who ssh'd to the web server | declined
ssh sessions to 10.0.0.9 longer than an hour | flows | service:ssh dst.ip:10.0.0.9 duration>1h
failed ssh logins on 10.0.0.9 today | flows | service:ssh ip:10.0.0.9 logon:failed | 2026-11-24T23:00 2026-11-25T10:30
successful logins on 10.0.0.9 from outside | flows | logon:succeeded ip:10.0.0.9 direction:inbound
all logins of maria this week | flows | user:maria logon:* | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
did maria log in at the weekend | flows | user:maria logon:* | 2026-11-20T23:00 2026-11-22T23:00 |  | noted
kerberos failures for user maria | flows | service:krb user:maria logon:failed |  |  | noted
which hosts had kerberos failures | devices | service:krb logon:failed |  |  | noted
dns queries of desk 4 in the last hour | flows | (device:"desk 4" or owner:"desk 4") dns.query:* | 2026-11-25T09:30 2026-11-25T10:30 |  | noted
dns queries for evil.example | flows | dns.query:(evil.example, *.evil.example)
who queried evil.example | devices | dns.query:(evil.example, *.evil.example) |  |  | noted
has evil.example been resolved by anybody | flows | server_name:(evil.example, *.evil.example) or dns.query:(evil.example, *.evil.example) |  |  | noted
tls connections to evil.example | flows | service:tls server_name:(evil.example, *.evil.example)
http requests to evil.example | flows | service:http server_name:(evil.example, *.evil.example)
uploads to evil.example | flows | server_name:(evil.example, *.evil.example) direction:outbound |  |  | noted
downloads from evil.example | flows | server_name:(evil.example, *.evil.example) |  |  | noted
bytes sent to evil.example | flows | server_name:(evil.example, *.evil.example) direction:outbound |  | src.bytes by  1 | noted
how much data went to evil.example | flows | server_name:(evil.example, *.evil.example) |  | bytes by  1 | noted
how much data went to china | flows | dst.country:CN |  | bytes by  1 | noted
how much data came from china | flows | src.country:CN |  | bytes by  1 | noted
how much traffic was there yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1 | noted
how much did guests use this month | flows | vlan:Guests | 2026-10-31T23:00 2026-11-25T10:30 | bytes by  1 | noted
data volume per vlan | flows |  |  | bytes by vlan 10 | noted
data volume of the guests vlan today | flows | vlan:Guests | 2026-11-24T23:00 2026-11-25T10:30 | bytes by  1 | noted
top 20 destinations of the guests vlan | flows | vlan:Guests |  | bytes by dst.ip 20 | noted
top domains in the last hour | flows |  | 2026-11-25T09:30 2026-11-25T10:30 | count by dns.query 10 | noted
top user agents | flows |  |  | count by user_agent 10 | noted
top signatures | flows |  |  | count by alert 10
top alert categories this week | flows |  | 2026-11-22T23:00 2026-11-25T10:30 | count by alert.category 10
top devices by incidents | incidents |  |  | count by device 10 | noted
top devices by bytes sent | flows |  |  | src.bytes by src.ip 10 | noted
top devices by bytes received | flows |  |  | dst.bytes by src.ip 10 | noted
which devices sent the most data to the internet | flows | direction:outbound |  | src.bytes by src.ip 10 | noted
which device has most connections | flows |  |  | count by src.ip 10 | noted
which host has opened most connections | flows |  |  | count by src.ip 10 | noted
which host scanned the most ports | declined
which hosts were scanned yesterday | devices | detector=scan | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
who scanned 10.0.0.5 | devices | detector=scan dst.ip:10.0.0.5 -device.ip:10.0.0.5 |  |  | noted
who did 10.0.0.5 scan | devices | ip:10.0.0.5 detector=scan |  |  | noted
port scans on port 22 | incidents | detector=scan dst.port:22 |  |  | noted
scans from outside | incidents | detector=scan direction:inbound
scans from guests | incidents | detector=scan vlan:Guests |  |  | noted
brute force attacks on ssh | incidents | detector=brute-force service:ssh
brute force attempts against 10.0.0.9 | incidents | detector=brute-force dst.ip:10.0.0.9
lateral movement from 10.0.0.5 | incidents | detector=lateral-movement src.ip:10.0.0.5
lateral movement in the servers vlan | incidents | detector=lateral-movement vlan:Servers
beacons from 10.0.0.5 | incidents | detector:(beacon, beacon-name) src.ip:10.0.0.5
beacons from workstations | incidents | detector:(beacon, beacon-name) device.type=workstation |  |  | noted
beacons to 185.220.101.4 | incidents | detector:(beacon, beacon-name) dst.ip:185.220.101.4
beacons over dns | incidents | detector:(beacon, beacon-name) service:dns
beaconing devices in the last 7 days | devices | detector:(beacon, beacon-name) | 2026-11-18T10:30 2026-11-25T10:30 |  | noted
exfiltration by 10.0.0.5 | incidents | detector=exfiltration src.ip:10.0.0.5
exfiltration to evil.example | incidents | detector=exfiltration server_name:(evil.example, *.evil.example)
exfiltration over dns | incidents | detector=exfiltration service:dns
dns tunnels by 10.0.0.5 | incidents | detector=dns-tunnel src.ip:10.0.0.5
suspicious dns | flows | device.score>=40 service:dns |  |  | noted
suspicious certificates | incidents | detector=certificate
weak tls on servers | flows | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) device.type:server |  |  | noted
outdated tls clients | devices | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) |  |  | noted
servers that still support tls 1.0 | declined
unknown devices on the network | devices | device.type=unknown |  |  | noted
unknown devices that talk to the internet | devices | device.type=unknown direction:outbound |  |  | noted
new devices in the last 24 hours | devices | first_seen:2026-11-24T10:30:00Z..2026-11-25T10:30:00Z
new devices with incidents | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z severity:* |  |  | noted
new devices talking to russia | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z dst.country:RU |  |  | noted
devices not seen for a week | devices | last_seen<-7d
devices that went offline today | declined
printers with internet access | declined
cameras with incidents | devices | device.type=camera severity:*
cameras talking to each other | devices | device.type=camera direction:internal |  |  | noted
iot devices contacting countries outside europe | declined
iot devices by country | declined
phones on the guest network | devices | device.type=phone device.vlan:Guests
workstations without owner | devices | device.type=workstation -owner:*
workstations of maria | devices | device.type=workstation (device:maria or owner:maria) |  |  | noted
owner of desk 4 | devices | device:"desk 4" or owner:"desk 4" |  |  | noted
devices with tag critical | devices | tag=critical
devices tagged pci that talk to the internet | devices | tag=pci direction:outbound |  |  | noted
incidents on devices tagged pci | incidents | tag=pci |  |  | noted
incidents on critical devices | incidents | severity=critical |  |  | noted
incidents involving servers and workstations | incidents | device.type:server or device.type=workstation |  |  | noted
incidents involving 10.0.0.5 and 10.0.0.9 | incidents | ip:(10.0.0.5, 10.0.0.9) |  |  | noted
incidents between 10.0.0.5 and 10.0.0.9 | incidents | ip:10.0.0.5 ip:10.0.0.9
incidents to 185.220.101.4 | incidents | dst.ip:185.220.101.4
incidents about dns | incidents | service:dns
incidents about evil.example | incidents | server_name:(evil.example, *.evil.example)
incidents on port 445 | incidents | dst.port:445 |  |  | noted
incidents over smb | incidents | service:smb
incidents with technique t1071 | incidents | technique:T1071 |  |  | noted
incidents detected by the scan detector | incidents | detector=scan |  |  | noted
incidents by detector | incidents |  |  | count by detector 10
incidents by device | incidents |  |  | count by device 10
incidents by technique this month | incidents |  | 2026-10-31T23:00 2026-11-25T10:30 | count by technique 10
incidents by assignee | incidents |  |  | count by assignee 10
incidents by status | incidents |  |  | count by status 10
open incidents by assignee | incidents | status:open |  | count by assignee 10
closed incidents this month | incidents | status:(resolved, false_positive) | 2026-10-31T23:00 2026-11-25T10:30 |  | noted
how many incidents did ada close | incidents | assignee:ada status:(resolved, false_positive) |  | count by  1 | noted
how many incidents are unassigned | incidents | -assignee:* |  | count by  1
oldest unassigned incidents | incidents | -assignee:* |  |  | noted
unassigned incidents older than 2 days | incidents | -assignee:* first_seen<-2d |  |  | noted
incidents not updated since monday | declined
incidents updated today | incidents |  | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
incidents with severity high | incidents | severity>=high |  |  | noted
incidents above medium | incidents | severity>medium
incidents with a score over 80 | incidents | score>80
incidents created between 8 and 12 | incidents | first_seen:2026-11-25T07:00:00Z..2026-11-25T10:30:00Z
incidents last night in the servers vlan | incidents | vlan:Servers | 2026-11-24T19:00 2026-11-25T05:00
incidents during the weekend | incidents |  | 2026-11-20T23:00 2026-11-22T23:00
incidents on 24 november | incidents |  | 2026-11-23T23:00 2026-11-24T23:00
incidents from 20 to 24 november | incidents |  | 2026-11-19T23:00 2026-11-24T23:00
all of last week's incidents | declined
yesterday's critical alerts | incidents | severity=critical | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
this week's false positives | incidents | status:false_positive | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
last month's exfiltration | incidents | detector=exfiltration | 2026-09-30T22:00 2026-10-31T23:00
sensor alerts for 10.0.0.5 | flows | alert:* ip:10.0.0.5
suricata alerts on 10.0.0.5 | flows | alert:* ip:10.0.0.5
ids alerts from outside | flows | alert:* direction:inbound
ids alerts of severity 1 | declined
alerts for signature 2027865 | flows | alert.id=2027865
alerts with trojan in the name | declined
intel hits of 10.0.0.5 | flows | intel:* ip:10.0.0.5 |  |  | noted
intel hits today by device | flows | intel:* | 2026-11-24T23:00 2026-11-25T10:30 | bytes by device 10 | noted
traffic with known bad hosts | flows | intel:*
malicious domains looked up today | flows | intel:* dns.query:* | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
flows with intel but without incident | flows | intel:* -severity:* |  |  | noted
flows without alerts | flows | -alert:*
flows of unknown devices | flows | device.type=unknown |  |  | noted
flows of devices without owner | flows | -owner:* |  |  | noted
flows from servers to vlan 30 | flows | device.type:server vlan:30 |  |  | noted
flows from vlan 30 to servers | flows | vlan:30 device.type:server |  |  | noted
flows from vlan 30 to vlan 30 | flows | device.vlan:30 device.vlan:30 |  |  | noted
flows that stayed in vlan 30 | declined
flows with vlan 30 | flows | vlan:30
untagged flows | flows | -tag:* |  |  | noted
icmp flows larger than 1 MB | flows | proto=icmp bytes>1MB
udp flows on high ports | declined
flows to ports other than 80 and 443 | flows | dst.port!=(80, 443)
flows to 10.0.0.0/8 from outside | flows | dst.ip:10.0.0.0/8 direction:inbound
flows from 10.0.0.0/8 to 192.168.0.0/16 | flows | src.ip:10.0.0.0/8 dst.ip:192.168.0.0/16
flows seen by netflow only | flows | source:netflow |  |  | noted
flows from sensor east | flows | sensor:east |  |  | noted
records of zeek | declined
`;
