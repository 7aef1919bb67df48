// Two lots of questions about who did what to whom. When they were first asked, 8 and 7 were answered wrongly without a
// note.

/** As `ASKED_PHRASINGS`. */
export const SIDE_PHRASINGS = `
which workstations were reached from the internet | devices | device.type=workstation direction:inbound |  |  | noted
printers reached over smb | devices | device.type=printer service:smb |  |  | noted
servers hit by scans from russia | devices | device.type:server detector=scan src.country:RU |  |  | noted
hosts that received files from 10.0.0.9 | devices | smb.file:* dst.ip:10.0.0.9 -device.ip:10.0.0.9 |  |  | noted
machines answering to telnet | declined
who sends data to vlan 30 | flows | vlan:30 |  |  | noted
who pulled data from the file server | flows | device.type=file_server |  |  | noted
what reached 10.0.0.5 last night | flows | dst.ip:10.0.0.5 | 2026-11-24T19:00 2026-11-25T05:00
what left the site to china | flows | direction:outbound dst.country:CN
traffic that came from china and went to servers | flows | src.country:CN device.type:server |  |  | noted
german ip addresses talking to our mail server | declined
romanian ips in the last hour | declined
connections initiated by servers | flows | device.type:server |  |  | noted
connections opened by 10.0.0.5 | flows | src.ip:10.0.0.5 |  |  | noted
connections accepted by 10.0.0.5 | declined
sessions started from outside | flows | direction:inbound |  |  | noted
sessions that 10.0.0.5 began | declined
flows where 10.0.0.5 is the server | declined
flows where 10.0.0.5 is the source | declined
flows with source 10.0.0.5 | flows | src.ip:10.0.0.5 |  |  | noted
flows with destination port 3389 | flows | dst.port:3389
dest port 25 not from mail servers | flows | dst.port:25 -device.type=mail_server |  |  | noted
src port 123 | flows | src.port:123
traffic with source country russia | declined
destination country not germany | declined
asn 64500 inbound | flows | asn:AS64500 direction:inbound |  |  | noted
AS64500 as source | declined
remote desktop into the servers vlan | flows | service:rdp vlan:Servers |  |  | noted
ssh out of the servers vlan | flows | service:ssh vlan:Servers |  |  | noted
rdp between 10.0.0.5 and the internet | flows | service:rdp ip:10.0.0.5 direction:(inbound, outbound) |  |  | noted
smb between vlan 10 and vlan 20 | flows | service:smb device.vlan:10 device.vlan:20 |  |  | noted
who was contacted by Desk 3 | flows | device:"desk 3" or owner:"desk 3" |  |  | noted
who contacted Desk 3 | flows | device:"desk 3" or owner:"desk 3" |  |  | noted
who did Desk 3 contact | flows | device:"desk 3" or owner:"desk 3" |  |  | noted
Desk 3 contacted by outside | flows | (device:"desk 3" or owner:"desk 3") direction:inbound |  |  | noted
whom does maria talk to | flows | device:maria or owner:maria |  |  | noted
maria and tom talking to each other | declined
incidents where 10.0.0.5 is the victim | declined
incidents where 10.0.0.5 is the attacker | declined
incidents started by desk 3 | incidents | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z (device:"desk 3" or owner:"desk 3") |  |  | noted
incidents aimed at servers | declined
incidents against SCRANTON | incidents | device:scranton or owner:scranton |  |  | noted
scans against 10.0.0.5 | incidents | detector=scan dst.ip:10.0.0.5
scans of 10.0.0.0/24 | incidents | detector=scan ip:10.0.0.0/24
scans by 10.0.0.5 | incidents | detector=scan src.ip:10.0.0.5
scanned from 203.0.113.5 | incidents | detector=scan src.ip:203.0.113.5
brute force on NASHUA | incidents | detector=brute-force (device:nashua or owner:nashua) |  |  | noted
brute force by NASHUA | incidents | detector=brute-force (device:nashua or owner:nashua) |  |  | noted
victims of brute force | declined
source of the beacon | declined
destinations of beacons | flows | detector:(beacon, beacon-name) |  | bytes by dst.ip 10 | noted
where do the beacons go | flows | detector:(beacon, beacon-name) |  | bytes by dst.ip 10 | noted
countries of beacons | flows | detector:(beacon, beacon-name) |  | bytes by dst.country 10 | noted
domains of beacons | incidents | dns.query:* detector:(beacon, beacon-name) |  |  | noted
c2 servers | incidents | detector:(beacon, beacon-name) |  |  | noted
c2 servers contacted today | incidents | detector:(beacon, beacon-name) | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
exfiltration destinations | declined
who exfiltrated data | devices | detector=exfiltration |  |  | noted
devices exfiltrating to romania | devices | detector=exfiltration dst.country:RO |  |  | noted
uploads from guests | flows | vlan:Guests direction:outbound |  |  | noted
uploads to guests | flows | vlan:Guests |  |  | noted
downloads by servers | flows |  |  | dst.bytes by dst.ip 10 | noted
downloads from servers | flows | device.type:server |  |  | noted
downloads of servers from the internet | flows | device.type:server direction:outbound |  |  | noted
received bytes of 10.0.0.5 | flows | ip:10.0.0.5 |  | dst.bytes by  1 | noted
bytes sent from vlan 20 | flows | vlan:20 direction:outbound |  | src.bytes by  1 | noted
who gets the most data | flows |  |  | bytes by device 10 | noted
most data received from outside | flows | direction:outbound |  | dst.bytes by src.ip 10 | noted
largest receivers | flows |  |  | dst.bytes by src.ip 10 | noted
top receivers outside | flows | direction:outbound |  | dst.bytes by src.ip 10 | noted
top sources outside | flows | direction:outbound |  | bytes by src.ip 10 | noted
top external destinations | declined
top internal destinations | declined
top internal talkers | declined
top countries by incidents | declined
top servers | flows |  |  | bytes by dst.ip 10 | noted
busiest servers | flows |  |  | bytes by dst.ip 10 | noted
busiest clients | flows |  |  | bytes by src.ip 10
most active users | flows |  |  | count by user 10 | noted
most used services | flows |  |  | bytes by service 10 | noted
least used services | declined
most contacted countries | flows |  |  | bytes by dst.country 10 | noted
most attacked devices | declined
most targeted hosts | flows |  |  | bytes by dst.ip 10 | noted
device with the most failed logins | flows | logon:failed |  | count by src.ip 10 | noted
user with the most failed logins | declined
devices with failed logins | devices | logon:failed |  |  | noted
devices where root logged in | declined
where did maria log in | declined
from where did maria log in | declined
who logged in to NASHUA | flows | (device:nashua or owner:nashua or server_name:*nashua*) logon:* |  |  | noted
who logged in from NASHUA | flows | (device:nashua or owner:nashua) logon:* |  |  | noted
logins to servers from workstations | flows | device.type:server device.type=workstation logon:* |  |  | noted
logins on servers by admin | flows | device.type:server user:admin logon:* |  |  | noted
failed logins on 10.0.0.5 | flows | logon:failed ip:10.0.0.5
failed logins from 10.0.0.5 | flows | logon:failed src.ip:10.0.0.5
failed logins of administrator | flows | logon:failed user:administrator |  |  | noted
log-ons of user maria on NASHUA | flows | user:maria (device:nashua or owner:nashua) logon:* |  |  | noted
dns servers used by clients | flows | device.type=dns_server |  |  | noted
dns queries sent to 8.8.8.8 | flows | dst.ip:8.8.8.8 dns.query:* |  |  | noted
dns queries answered by 10.0.0.2 | declined
dns queries of 10.0.0.5 | flows | ip:10.0.0.5 dns.query:*
dns queries about example.com | flows | dns.query:(example.com, *.example.com)
lookups from vlan 20 | flows | vlan:20 dns.query:* |  |  | noted
names looked up by Desk 3 | flows | (device:"desk 3" or owner:"desk 3") dns.query:* |  |  | noted
failed lookups of Desk 3 | flows | dns.rcode=NXDOMAIN (device:"desk 3" or owner:"desk 3") |  |  | noted
who resolved evil.example.com through 8.8.8.8 | devices | dns.query:(evil.example.com, *.evil.example.com) ip:8.8.8.8 |  |  | noted
certificates seen on 10.0.0.5 | flows | certificate:* ip:10.0.0.5 |  |  | noted
certificates presented to clients | declined
tls versions used by servers | declined
clients with tls 1.0 | devices | tls.version:1.0 |  |  | noted
servers with tls 1.0 | devices | device.type:server tls.version:1.0 |  |  | noted
browsers of Desk 3 | flows | service:(http, tls) (device:"desk 3" or owner:"desk 3") |  |  | noted
user agents of guests | flows | vlan:Guests |  | count by user_agent 10 | noted
user agent curl from servers | flows | user_agent:curl device.type:server |  |  | noted
urls requested from 10.0.0.5 | flows | http.path:requested src.ip:10.0.0.5 |  |  | noted
urls requested by 10.0.0.5 | flows | http.path:requested src.ip:10.0.0.5 |  |  | noted
posts to 203.0.113.5 | flows | http.method=POST dst.ip:203.0.113.5
files opened on NASHUA | flows | smb.file:* (device:nashua or owner:nashua) |  |  | noted
files opened by maria | flows | smb.file:* (device:maria or owner:maria) |  |  | noted
shares of NASHUA | flows | smb.share:* (device:nashua or owner:nashua) |  |  | noted
shares accessed by guests | flows | smb.share:* vlan:Guests |  |  | noted
smb files read from the file server | flows | service:smb smb.file:read device.type=file_server |  |  | noted
my alerts | incidents | assignee:me
my devices | declined
alerts of my devices | declined
alerts assigned to ada | incidents | assignee:ada
ada's incidents | incidents | device:ada or owner:ada |  |  | noted
incidents by ada | incidents | assignee:ada |  |  | noted
incidents opened by ada | incidents | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z (device:ada or owner:ada) |  |  | noted
incidents resolved by me | declined
incidents i closed | declined
unassigned critical | incidents | -assignee:* severity=critical
open ones only | incidents | status:open |  |  | noted
only open incidents | declined
still open from last week | incidents | status:(open, investigating) | 2026-11-15T23:00 2026-11-22T23:00
old incidents | declined
stale incidents | declined
new incidents | incidents | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z |  |  | noted
new alerts since yesterday | incidents | first_seen:2026-11-23T23:00:00Z..2026-11-25T10:30:00Z |  |  | noted
new devices in guests | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z device.vlan:Guests |  |  | noted
new printers | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z device.type=printer |  |  | noted
new connections to china | flows | dst.country:CN |  |  | noted
first connection to china | declined
last connection of Desk 3 | declined
last incident | declined
first incident today | declined
next incident | declined
high | incidents | severity>=high |  |  | noted
critical ones | incidents | severity=critical |  |  | noted
high and critical | incidents | severity:(high, critical)
not low | incidents | -severity=low
severity medium to critical | declined
incidents with more than 10 devices | declined
more than 5 connections to russia | declined
over 100 failed logins | declined
flows over 500 | declined
flows longer than 10 | declined
transfers of 2 gigs | declined
transfers around 1 GB | declined
about 100 MB to dropbox | declined
did the cash registers talk to anything except the payment server | declined
payment terminals going to the internet | declined
show communications of 10.20.0.15 with foreign hosts | flows | ip:10.20.0.15 direction:(inbound, outbound) |  |  | noted
which guests use bittorrent | flows | vlan:Guests server_name:*bittorrent* |  |  | noted
hotel guests who downloaded most | declined
who watched netflix yesterday evening | declined
show dns of the reception pc | declined
reception's connections after 22:00 | flows | device:reception or owner:reception | 2026-11-24T21:00 2026-11-25T10:30 |  | noted
connections during the night from servers to outside | flows | device.type:server direction:outbound | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
servers which sent mail last week | devices | device.type:server service:smtp | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
is our mail server sending spam | devices | device.type=mail_server detector=mass-mail direction:outbound |  |  | noted
did our mail server get mail from russia | flows | device.type=mail_server service:smtp src.country:RU |  |  | noted
which machines send mail without the mail server | flows | service:smtp -device.type=mail_server |  |  | noted
smtp to outside not from mail servers | flows | service:smtp direction:outbound -device.type=mail_server |  |  | noted
who used ftp last month | devices | service:ftp | 2026-09-30T22:00 2026-10-31T23:00 |  | noted
ftp uploads to outside | flows | service:ftp direction:outbound |  |  | noted
ftp logins with anonymous | declined
was telnet used anywhere | flows | service:telnet |  |  | noted
does any device still speak smb with china | devices | service:smb country:CN |  |  | noted
any traffic with north korea | flows | country:KP |  |  | noted
connections with iran in the last 30 days | flows | country:IR | 2026-10-26T10:30 2026-11-25T10:30 |  | noted
list countries contacted by servers | flows | device.type:server |  | bytes by dst.country 10 | noted
which countries does the web server answer | declined
which countries attack us | declined
top attackers | declined
top victims | declined
top 10 attacking countries | declined
top scanned ports | declined
top 3 detectors this month | incidents |  | 2026-10-31T23:00 2026-11-25T10:30 | count by detector 3
most frequent alerts | flows |  |  | count by alert 10 | noted
most frequent incidents | declined
most severe incident | declined
most severe incidents of the week | declined
highest score incidents | declined
incidents sorted by score | incidents |  |  |  | noted
incidents by score | declined
incidents per analyst | declined
incidents per owner | declined
incidents per vlan | declined
alerts per sensor | flows | alert:* |  | count by sensor 10 | noted
alerts per day | incidents |  | 2026-11-18T10:30 2026-11-25T10:30 | count by  1 1d | noted
alerts per hour yesterday | incidents |  | 2026-11-23T23:00 2026-11-24T23:00 | count by  1 1h | noted
connections per minute | declined
connections per hour of 10.0.0.5 | flows | ip:10.0.0.5 | 2026-11-24T10:30 2026-11-25T10:30 | count by  1 1h | noted
bytes per day of Desk 3 | flows | device:"desk 3" or owner:"desk 3" | 2026-11-18T10:30 2026-11-25T10:30 | bytes by  1 1d | noted
traffic by day | flows |  | 2026-11-18T10:30 2026-11-25T10:30 | bytes by  1 1d | noted
traffic by service and country | declined
services by bytes | flows |  |  | bytes by service 10
services of 10.0.0.5 | flows | ip:10.0.0.5 |  | bytes by service 10 | noted
services used by guests | flows | vlan:Guests |  | bytes by service 10 | noted
services offered by servers | flows | device.type:server |  | count by service 10 | noted
ports of Desk 3 | flows | device:"desk 3" or owner:"desk 3" |  | count by dst.port 10 | noted
ports contacted by 10.0.0.5 | flows | src.ip:10.0.0.5 |  | count by dst.port 10 | noted
peers of Desk 3 by bytes | declined
destinations of Desk 3 | flows | device:"desk 3" or owner:"desk 3" |  | bytes by dst.ip 10 | noted
destinations of 10.0.0.5 by bytes | flows | src.ip:10.0.0.5 |  | bytes by dst.ip 10 | noted
sources of traffic to 10.0.0.5 | flows | dst.ip:10.0.0.5 |  | bytes by src.ip 10
sources contacting port 22 | flows | dst.port:22 |  |  | noted
who is talking to port 4444 | devices | dst.port:4444 |  |  | noted
machines with connections to port 4444 | devices | dst.port:4444 |  |  | noted
port 4444 outbound | flows | dst.port:4444 direction:outbound |  |  | noted
outbound 4444 | declined
inbound 3389 | declined
inbound rdp attempts | flows | direction:inbound service:rdp
inbound connections to printers | flows | direction:inbound device.type=printer |  |  | noted
inbound traffic of servers | flows | direction:inbound device.type:server |  |  | noted
outbound traffic of cameras | flows | direction:outbound device.type=camera |  |  | noted
internal traffic of cameras | flows | direction:internal device.type=camera |  |  | noted
lateral traffic of Desk 3 | flows | direction:internal (device:"desk 3" or owner:"desk 3") |  |  | noted
east-west traffic | declined
north-south traffic | declined
local traffic only | declined
traffic that stays inside | declined
traffic leaving to germany | flows | dst.country:DE |  |  | noted
traffic entering from germany | declined
traffic crossing vlans | declined
devices in several vlans | declined
devices that changed address | declined
devices with two addresses | declined
devices with ipv6 | devices | ip:"::/0" |  |  | noted
devices online now | declined
devices active at night | declined
devices active on sunday | declined
devices last seen on monday | devices | last_seen:2026-11-22T23:00:00Z..2026-11-23T23:00:00Z |  |  | noted
devices first seen by zeek | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z source:zeek |  |  | noted
devices seen by sensor east | devices | sensor:east |  |  | noted
devices known since november | declined
devices older than 30 days | devices | first_seen<-30d |  |  | noted
devices younger than a week | devices | first_seen>-7d |  |  | noted
the newest device | declined
last device that joined | declined
unknown owner devices in servers | devices | -owner:* device.type:server |  |  | noted
servers owned by nobody | devices | device.type:server -owner:*
servers without tag | devices | device.type:server -tag:*
servers tagged critical with open incidents | devices | device.type:server tag=critical status:open |  |  | noted
tag critical and not server | devices | tag=critical -device.type:server |  |  | noted
printers not in the office vlan | devices | device.type=printer -device.vlan:Office
cameras outside the guests vlan | devices | device.type=camera -device.vlan:Guests |  |  | noted
everything in the servers vlan that is not a server | flows | vlan:Servers -device.type:server |  |  | noted
desk 3 and desk 4 | declined
Desk 3 or printers | declined
incidents of printers and cameras | incidents | device.type=(printer, camera) |  |  | noted
incidents of the mail server this week | incidents | device.type=mail_server | 2026-11-22T23:00 2026-11-25T10:30
incidents on servers without owner | incidents | device.type:server -owner:* |  |  | noted
incidents with russia | incidents | country:RU |  |  | noted
incidents with dst port 445 | incidents | dst.port:445
incidents from inside | incidents | direction:internal |  |  | noted
incidents from outside | incidents | direction:inbound
internal incidents | incidents | direction:internal |  |  | noted
external incidents | incidents | direction:(inbound, outbound) |  |  | noted
outbound incidents | incidents | direction:outbound |  |  | noted
incidents with data leaving | declined
incidents of yesterday still open | incidents | status:(open, investigating) | 2026-11-23T23:00 2026-11-24T23:00
incidents opened yesterday and closed today | declined
incidents closed by nobody | incidents | status:(resolved, false_positive) assignee:nobody |  |  | noted
incidents assigned to nobody | incidents | -assignee:*
incidents assigned to anyone | incidents | assignee:* |  |  | noted
incidents not assigned to ada | incidents | -assignee:ada
incidents of my colleagues | declined
assigned to me and critical | incidents | assignee:me severity=critical |  |  | noted
critical and mine | incidents | severity=critical assignee:me |  |  | noted
mine | incidents | assignee:me
what did i close | declined
what is assigned to bob | incidents | assignee:bob
who has critical incidents | devices | severity=critical |  |  | noted
who has the riskiest score | declined
who is at risk | declined
risk above 50 | devices | device.score>50
score above 50 | incidents | score>50
severity above medium | incidents | severity>medium
devices with score above 50 | devices | device.score>50
incidents with risk over 60 | incidents | device.score>60
medium risk devices | declined
low scores | declined
confirmed incidents | declined
true positives | declined
incidents marked false positive by ada | declined
beaconing hosts | devices | detector:(beacon, beacon-name) |  |  | noted
beaconing servers | devices | detector:(beacon, beacon-name) device.type:server |  |  | noted
beaconing domains | incidents | detector:(beacon, beacon-name) dns.query:* |  |  | noted
beaconing to domains ending in .xyz | incidents | detector:(beacon, beacon-name) server_name:*.xyz |  |  | noted
dga domains of 10.0.0.5 | incidents | detector=dga dns.query:* ip:10.0.0.5 |  |  | noted
tunnels from guests | incidents | detector=dns-tunnel vlan:Guests |  |  | noted
tunneling over dns by Desk 3 | incidents | detector=dns-tunnel service:dns (device:"desk 3" or owner:"desk 3") |  |  | noted
floods to port 80 | incidents | detector=flood dst.port:80
flood against the web server | incidents | detector=flood device.type=web_server |  |  | noted
spam from 10.0.0.5 | incidents | detector=mass-mail src.ip:10.0.0.5
rogue dhcp in vlan 20 | incidents | detector=rogue-dhcp vlan:20
rogue servers | declined
bad certificates of internal servers | incidents | detector=certificate device.type:server |  |  | noted
expired certs on port 8443 | incidents | title:expired dst.port:8443 |  |  | noted
wannacry | declined
log4shell | flows | log4shell |  |  | noted
emotet traffic | declined
psexec from desk 3 | declined
mimikatz | declined
kerberoasting | declined
golden ticket | declined
t1059 | incidents | technique:T1059 |  |  | noted
tactic exfiltration | declined
`;
