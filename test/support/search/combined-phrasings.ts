// Questions that put known words together in unusual ways: negations, passives, lists, ends and times.

/** As `ASKED_PHRASINGS`. */
export const COMBINED_PHRASINGS = `
ssh or port 2222 from outside | declined
dns or 8.8.8.8 | declined
printers or cameras that talked to china | devices | device.type=(printer, camera) dst.country:CN |  |  | noted
devices that talked to china or russia but not to iran | devices | dst.country:(CN, RU) -dst.country:IR |  |  | noted
devices that talked to china and russia | devices | dst.country:(CN, RU) |  |  | noted
incidents of printers or of cameras | incidents | device.type=(printer, camera) |  |  | noted
critical or open incidents | declined
open or critical | declined
open and unassigned or critical | declined
high severity incidents or alerts from suricata | declined
not critical and not open | incidents | -severity=critical -status:open |  |  | noted
neither printers nor cameras | declined
traffic not from printers | flows | -device.type=printer |  |  | noted
traffic not from 10.0.0.5 to 10.0.0.9 | flows | -src.ip:10.0.0.5 dst.ip:10.0.0.9
10.0.0.5 but never 10.0.0.9 | declined
not from china or russia | flows | -src.country:(CN, RU) |  |  | noted
no uploads from printers | declined
devices without incidents or tags | declined
devices that have no owner and are not printers | devices | -owner:* -device.type=printer |  |  | noted
who didn't talk to 8.8.8.8 today | devices | -dst.ip:8.8.8.8 | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
who has never used dns | devices | -service:dns |  |  | noted
servers nobody talked to | declined
10.0.0.5 talked to by printers | flows | src.ip:10.0.0.5 device.type=printer |  |  | noted
contacted by 10.0.0.5 over ssh | flows | src.ip:10.0.0.5 service:ssh
what was contacted by printers | flows | device.type=printer |  |  | noted
which servers were contacted by guests | flows | device.type:server vlan:Guests |  |  | noted
which devices were scanned | devices | detector=scan |  |  | noted
who scanned NASHUA | flows | detector=scan (device:nashua or owner:nashua) |  |  | noted
who was scanned by NASHUA | flows | detector=scan (device:nashua or owner:nashua) |  |  | noted
NASHUA scanned by whom | incidents | (device:nashua or owner:nashua) detector=scan |  |  | noted
scans against NASHUA from the internet | incidents | detector=scan (device:nashua or owner:nashua) direction:inbound |  |  | noted
who attacked SCRANTON | incidents | device:scranton or owner:scranton |  |  | noted
attacks on SCRANTON from russia | incidents | (device:scranton or owner:scranton) src.country:RU |  |  | noted
brute force from 203.0.113.7 against NASHUA | incidents | detector=brute-force src.ip:203.0.113.7 (device:nashua or owner:nashua) |  |  | noted
who logged in to NASHUA from outside | flows | (device:nashua or owner:nashua or server_name:*nashua*) direction:inbound logon:* |  |  | noted
log-ons on NASHUA by maria from 10.0.0.7 | flows | (device:nashua or owner:nashua) user:maria src.ip:10.0.0.7 logon:* |  |  | noted
failed log-ons of root on NASHUA since midnight | flows | logon:failed user:root (device:nashua or owner:nashua) | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
log-ons that were not by root | flows | -user:root logon:* |  |  | noted
users who failed at kerberos | flows | service:krb logon:failed |  | count by user 10 | noted
maria's failed logins | flows | user:maria logon:failed |  |  | noted
maria's traffic to china | flows | (device:maria or owner:maria) dst.country:CN |  |  | noted
traffic of maria and jonas | flows | device:maria or owner:maria or device:jonas or owner:jonas |  |  | noted
traffic of maria's laptop | flows | (device:maria or owner:maria) device.type=workstation |  |  | noted
everything maria's devices did yesterday | flows | device:maria or owner:maria | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
owner maria or owner jonas | devices | owner:(maria, jonas) |  |  | noted
devices of maria with incidents | devices | (device:maria or owner:maria) severity:* |  |  | noted
incidents on devices of maria | incidents | device:maria or owner:maria |  |  | noted
incidents of devices in vlan 20 | incidents | vlan:20 |  |  | noted
incidents assigned to maria on printers | incidents | assignee:maria device.type=printer
incidents that maria resolved today | declined
incidents resolved in less than a day | incidents | status:resolved first_seen>-1d |  |  | noted
incidents with more than 5 devices | declined
incidents per device and severity | declined
devices per owner without printers | devices | -device.type=printer |  | count by owner 10 | noted
count of open incidents per severity since monday | incidents | status:open | 2026-11-22T23:00 2026-11-25T10:30 | count by severity 10
how many critical incidents are open | incidents | severity=critical status:open |  | count by  1
how many of the open incidents are critical | incidents | status:open severity=critical |  | count by  1 | noted
how many devices have an owner | devices | owner:* |  | count by  1
how many flows per service to russia | flows | dst.country:RU |  | count by service 10
how many flows were longer than an hour | flows | duration>1h |  | count by  1 | noted
how many bytes per country since monday | flows |  | 2026-11-22T23:00 2026-11-25T10:30 | bytes by dst.country 10 | noted
how much did each device upload yesterday | declined
upload volume per device yesterday | flows | direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 | src.bytes by src.ip 10 | noted
data volume by service and country | declined
top 5 services by bytes in the guests vlan | flows | vlan:Guests |  | bytes by service 5
top 5 talkers to russia by connections | flows | dst.country:RU |  | count by src.ip 5
top users by failed logins | flows | logon:failed |  | count by user 10 | noted
top talkers except 10.0.0.5 | flows | -ip:10.0.0.5 |  | bytes by src.ip 10
top destinations of printers outside germany | flows | device.type=printer dst.country:* -dst.country:DE |  | bytes by dst.ip 10 | noted
busiest hour yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | count by  1 1h | noted
busiest day this month | flows |  | 2026-10-31T23:00 2026-11-25T10:30 | count by  1 1d | noted
peak traffic yesterday | declined
traffic over time to 8.8.8.8 | declined
hourly uploads of NASHUA yesterday | flows | (device:nashua or owner:nashua) direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 | count by  1 1h | noted
daily incidents this month | incidents |  | 2026-10-31T23:00 2026-11-25T10:30 | count by  1 1d | noted
first 10 connections today | declined
last 5 incidents | declined
newest devices | declined
newest incidents | incidents |  |  |  | noted
oldest devices | declined
recent alerts | incidents |  |  |  | noted
recent incidents of NASHUA | incidents | device:nashua or owner:nashua |  |  | noted
latest traffic of 10.0.0.5 | flows | ip:10.0.0.5 |  |  | noted
this week's incidents | incidents |  | 2026-11-22T23:00 2026-11-25T10:30
yesterday's top talkers | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by src.ip 10
today's uploads over 1GB | flows | src.bytes>1GB direction:outbound | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
monday's critical alerts | incidents | severity=critical | 2026-11-22T23:00 2026-11-23T23:00 |  | noted
last week's new devices | devices | first_seen:2026-11-15T23:00:00Z..2026-11-22T23:00:00Z
last night's logins | flows | logon:* | 2026-11-24T19:00 2026-11-25T05:00
2 days ago between 3 and 4pm | flows |  | 2026-11-23T14:00 2026-11-23T15:00 |  | noted
between 3 and 4pm 2 days ago | flows |  | 2026-11-23T14:00 2026-11-23T15:00 |  | noted
yesterday morning and afternoon | declined
monday or tuesday | flows |  | 2026-11-22T23:00 2026-11-24T23:00 |  | noted
monday to wednesday last week | declined
last week monday | declined
the week of november 9 | declined
before november 20 | flows |  | 2026-10-19T23:00 2026-11-19T23:00 |  | noted
after november 20 9am | flows |  | 2026-11-20T08:00 2026-11-25T10:30 |  | noted
since november 20 at 9am | flows |  | 2026-11-20T08:00 2026-11-25T10:30 |  | noted
until november 20 | flows |  | 2026-10-20T23:00 2026-11-20T23:00 |  | noted
november 20 to 22 | declined
20-22 november | declined
nov 20 - nov 22 | declined
from 20 to 22 november | flows |  | 2026-11-19T23:00 2026-11-22T23:00 |  | noted
in the morning of november 20 | declined
on november 20 at night | declined
at 9 yesterday | declined
at 9 | declined
around 9 | declined
in the last 2 to 3 hours | declined
more than 2 hours ago | declined
less than 10 minutes ago | declined
not in the last 2 hours | declined
not yesterday | declined
devices not seen yesterday | declined
devices last seen yesterday | devices | last_seen:2026-11-23T23:00:00Z..2026-11-24T23:00:00Z |  |  | noted
devices first seen yesterday | devices | first_seen:2026-11-23T23:00:00Z..2026-11-24T23:00:00Z
devices seen yesterday but not today | declined
devices seen for the first time on monday | devices | first_seen:2026-11-22T23:00:00Z..2026-11-23T23:00:00Z
incidents first seen yesterday | incidents | first_seen:2026-11-23T23:00:00Z..2026-11-24T23:00:00Z
incidents updated today | incidents |  | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
incidents opened today | incidents | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z
incidents closed today | incidents | status:(resolved, false_positive) | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
alerts raised yesterday evening | incidents | first_seen:2026-11-24T17:00:00Z..2026-11-24T23:00:00Z |  |  | noted
who sent the most to russia yesterday | flows | dst.country:RU direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 | src.bytes by src.ip 10 | noted
which printer sent the most data | flows | device.type=printer direction:outbound |  | src.bytes by src.ip 10 | noted
which device received the most from 10.0.0.9 | flows | dst.ip:10.0.0.9 |  | dst.bytes by src.ip 10 | noted
which server got the most connections | declined
which country sends us the most traffic | declined
which countries connect to us | flows |  |  | bytes by src.country 10 | noted
where does our traffic go | flows |  |  | bytes by dst.ip 10 | noted
where is 10.0.0.5 connecting to | declined
top sources from russia | flows | src.country:RU |  | bytes by src.ip 10 | noted
top sources of inbound ssh | flows | direction:inbound service:ssh |  | bytes by src.ip 10 | noted
top targets of scans | declined
top attackers | declined
top victims | declined
most attacked devices | declined
most scanned ports | declined
most used ports of 10.0.0.5 | flows | src.ip:10.0.0.5 |  | count by dst.port 10 | noted
most common user agents of printers | flows | device.type=printer |  | count by user_agent 10
most common failed usernames | declined
least used services | declined
rarest user agents | declined
devices with the fewest connections | declined
number of devices per country | declined
number of different devices that talked to 8.8.8.8 | devices | dst.ip:8.8.8.8 |  | count by  1 | noted
how many different users logged in to NASHUA | flows | (device:nashua or owner:nashua or server_name:*nashua*) logon:* |  | count by user 100 | noted
how many hosts does 10.0.0.5 talk to | devices | src.ip:10.0.0.5 -device.ip:10.0.0.5 |  | count by  1 | noted
how many times did 10.0.0.5 talk to 8.8.8.8 | flows | src.ip:10.0.0.5 dst.ip:8.8.8.8 |  | count by  1 | noted
how many connections did NASHUA make to china today | flows | (device:nashua or owner:nashua) dst.country:CN | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 | noted
how much did NASHUA receive from china today | flows | (device:nashua or owner:nashua) dst.country:CN | 2026-11-24T23:00 2026-11-25T10:30 | dst.bytes by  1 | noted
how much came from china today | flows | src.country:CN | 2026-11-24T23:00 2026-11-25T10:30 | bytes by  1 | noted
how much went to china and russia today | flows | dst.country:(CN, RU) | 2026-11-24T23:00 2026-11-25T10:30 | bytes by  1 | noted
how much traffic is encrypted | declined
how much is dns | flows | service:dns |  | bytes by  1
how much dns did printers do | flows | service:dns device.type=printer |  | bytes by  1 | noted
how many dns queries for example.com per device | flows | dns.query:(example.com, *.example.com) |  | count by device 10 | noted
how many lookups failed today | flows | dns.rcode=NXDOMAIN | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 | noted
how many log-ons failed per user today | flows | logon:failed | 2026-11-24T23:00 2026-11-25T10:30 | count by user 10 | noted
how many new devices per day this week | devices | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z | 2026-11-18T10:30 2026-11-25T10:30 | count by  1 1d | noted
how many incidents were opened per day this week | incidents | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z | 2026-11-18T10:30 2026-11-25T10:30 | count by  1 1d | noted
how many incidents did maria close | incidents | assignee:maria status:(resolved, false_positive) |  | count by  1 | noted
number of alerts by signature today | flows | alert:* | 2026-11-24T23:00 2026-11-25T10:30 | count by alert 10
number of alerts by severity today | incidents |  | 2026-11-24T23:00 2026-11-25T10:30 | count by severity 10 | noted
alerts by detector yesterday | incidents |  | 2026-11-23T23:00 2026-11-24T23:00 | count by detector 10 | noted
alerts by type | declined
alerts by country | flows | alert:* |  | count by dst.country 10 | noted
alerts by port | flows | alert:* |  | count by dst.port 10 | noted
alerts per source | flows | alert:* |  | count by src.ip 10 | noted
alerts per service | flows | alert:* |  | count by service 10 | noted
incidents by technique | incidents |  |  | count by technique 10
incidents by vlan | declined
incidents by owner | declined
incidents by device type | declined
devices by country | declined
devices by operating system | declined
devices by risk | declined
devices by last seen | declined
devices sorted by name | devices |  |  |  | noted
flows sorted by size | flows |  |  |  | noted
flows by size | declined
traffic by direction per day | declined
traffic by user | flows |  |  | bytes by user 10 | noted
uploads by vlan | flows | direction:outbound |  | src.bytes by vlan 10 | noted
downloads by user | flows |  |  | dst.bytes by user 10 | noted
logins by device | flows | logon:* |  | count by device 10 | noted
logins by country | flows | logon:* |  | count by dst.country 10 | noted
failed logins by source | flows | logon:failed |  | count by src.ip 10
failed logins by source country | flows | logon:failed |  | count by src.country 10
failed logins by service | flows | logon:failed |  | count by service 10
dns queries by type | flows | dns.query:* |  | count by dns.type 10
dns queries by server | flows | dns.query:* |  | count by dst.ip 10 | noted
dns queries by response code | declined
http requests by status | flows | service:http |  | count by http.status 10
http requests by method and host | declined
tls by version | declined
tls by issuer | declined
certificates by issuer | declined
connections by port and protocol | declined
ports by bytes | flows |  |  | bytes by dst.port 10 | noted
services by number of devices | declined
user agents by device | declined
countries by number of devices | declined
vlans by traffic | flows |  |  | bytes by vlan 10
users by device | declined
tags by device | declined
Front Desk traffic | flows | device:"front desk" or owner:"front desk" |  |  | noted
the Front Desk printer | devices | (device:"front desk" or owner:"front desk") device.type=printer |  |  | noted
Front Desk 2 incidents | declined
Reception's traffic | flows | device:reception or owner:reception |  |  | noted
Marketing's uploads | flows | (device:marketing or owner:marketing) direction:outbound |  |  | noted
Ada's laptop in the Office vlan | devices | (device:ada or owner:ada) device.type=workstation device.vlan:Office |  |  | noted
ADA-LAPTOP to NASHUA over smb | flows | (device:ada-laptop or owner:ada-laptop) (device:nashua or owner:nashua or server_name:*nashua*) service:smb |  |  | noted
nashua.corp.local to scranton.corp.local | flows | (server_name:(nashua.corp.local, *.nashua.corp.local) or dns.query:(nashua.corp.local, *.nashua.corp.local)) server_name:(scranton.corp.local, *.scranton.corp.local) |  |  | noted
desk 3 and desk 4 | declined
Desk 3 to Desk 4 | flows | (device:"desk 3" or owner:"desk 3") (device:"desk 4" or owner:"desk 4") |  |  | noted
between Desk 3 and Desk 4 yesterday | flows | (device:"desk 3" or owner:"desk 3") (device:"desk 4" or owner:"desk 4") | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
server room camera | declined
camera 2 | declined
camera 2 and camera 3 today | declined
printer on floor 3 | declined
port 3 of switch 2 | declined
vlan office to vlan servers | flows | device.vlan:Office device.vlan:Servers |  |  | noted
office vlan without printers | devices | device.vlan:Office -device.type=printer |  |  | noted
all but the guests | declined
guests only | flows | vlan:Guests |  |  | noted
users of the guests vlan | flows | vlan:Guests |  | count by user 10 | noted
tag critical | devices | tag=critical
tagged critical or important | devices | tag=(critical, important)
tags critical and important | incidents | tag=critical severity>=high |  |  | noted
not tagged | devices | -tag:* |  |  | noted
owner unknown | devices | -owner:*
owner is not maria | declined
owned by nobody | devices | -owner:*
status open or investigating | incidents | status:(open, investigating) |  |  | noted
severity medium to critical | declined
severity at least medium | incidents | severity>=medium
severity not low | declined
score between 40 and 60 | incidents | score:40..60
risk between 40 and 60 | devices | device.score:40..60
score 40-60 | declined
more than 40 points | declined
ward 3 laptops that used telnet this month | declined
what did the pharmacy printer send out on sunday | declined
cash desk traffic to unknown countries | declined
devices at reception without an owner | flows | (device:reception or owner:reception) -owner:* |  |  | noted
classroom devices that looked up tiktok.com before noon | declined
room 214 wifi usage today | declined
teachers who downloaded more than 5GB this week | declined
school network uploads over 100 MB after 4pm yesterday | declined
any smb between the guests and office vlans? | flows | service:smb device.vlan:Guests device.vlan:Office device.vlan:* |  |  | noted
guests reaching our servers over rdp | flows | vlan:Guests device.type:server service:rdp |  |  | noted
list machines on the office network which contacted port 502 | devices | device.vlan:Office dst.port:502 |  |  | noted
controller 10.50.0.4 modbus traffic since 6am | declined
who connected to 10.50.0.4 outside of the shift | devices | dst.ip:10.50.0.4 direction:outbound (device:shift or owner:shift) -device.ip:10.50.0.4 |  |  | noted
branch office bandwidth by hour | declined
ATM connections that failed | declined
teller pcs with critical incidents | declined
how many cameras are offline | declined
cameras silent since yesterday | devices | device.type=camera last_seen<2026-11-23T23:00:00Z
devices unseen for 2 weeks | devices | last_seen<-14d
last incident of the domain controller | declined
were there any exfiltration alerts on the file server in october | incidents | detector=exfiltration device.type=file_server | 2026-09-30T22:00 2026-10-31T23:00 |  | noted
incidents involving 203.0.113.7 or 203.0.113.8 | incidents | ip:(203.0.113.7, 203.0.113.8)
show alerts for port 3389 and 445 | incidents | dst.port:(3389, 445) |  |  | noted
incidents not assigned to ada | incidents | -assignee:ada
incidents assigned to ada or grace | incidents | assignee:(ada, grace)
unassigned high or critical | incidents | -assignee:* severity:(high, critical)
high severity incidents that are not beaconing | incidents | severity>=high -detector:(beacon, beacon-name) |  |  | noted
beaconing incidents except those of printers | declined
closed as false positive last week by grace | incidents | status:false_positive assignee:grace | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
incidents tagged vip | incidents | tag=vip
devices tagged vip in the office vlan with risk over 50 | devices | tag=vip device.vlan:Office device.score>50 |  |  | noted
owner maria risk above 20 | devices | owner:maria device.score>20
workstations that sent mail | devices | device.type=workstation service:smtp |  |  | noted
printers that looked up anything outside | devices | device.type=printer direction:outbound dns.query:* |  |  | noted
dns queries for *.onion | flows | dns.query:*.onion
lookups of dropbox.com or box.com by guests | flows | dns.query:(dropbox.com, *.dropbox.com, box.com, *.box.com) vlan:Guests |  |  | noted
names looked up by 10.0.0.5 that do not exist | declined
nxdomain by 10.0.0.5 in the last hour | flows | dns.rcode=NXDOMAIN src.ip:10.0.0.5 | 2026-11-25T09:30 2026-11-25T10:30
web traffic without sni | flows | service:(http, tls) -server_name:*
tls 1.3 to google.com excluding quic | flows | tls.version:1.3 server_name:(google.com, *.google.com) -service:quic
quic over 50 MB | flows | service:quic bytes>50MB |  |  | noted
connections from AS4134 | flows | src.asn:AS4134
inbound from AS4134 or china | declined
traffic from outside the us | flows | src.country:* -src.country:US |  |  | noted
traffic to germany or france, not web | flows | dst.country:(DE, FR) -service:(http, tls) |  |  | noted
everything from 198.51.100.0/24 except 198.51.100.7 | flows | src.ip:198.51.100.0/24 -ip:198.51.100.7
10.0.0.5 and 10.0.0.6 together | declined
between 10.0.0.5 and the internet | flows | ip:10.0.0.5 direction:(inbound, outbound) |  |  | noted
between the office vlan and china | flows | vlan:Office country:CN |  |  | noted
from 10.0.0.0/24 to port 22 or 3389 | flows | src.ip:10.0.0.0/24 dst.port:(22, 3389) |  |  | noted
udp from port 53 | flows | proto=udp src.port:53
tcp to 10.0.0.7:8080 | flows | proto=tcp dst.ip:10.0.0.7 dst.port:8080 |  |  | noted
10.0.0.7:443 today | flows | ip:10.0.0.7 dst.port:443 | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
http get to 10.0.0.7 | flows | http.method=GET dst.ip:10.0.0.7
post requests over 1MB to china | flows | http.method=POST src.bytes>1MB dst.country:CN
powershell user agents today | flows | user_agent:powershell | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
user admin on 10.0.0.7 | flows | user:admin ip:10.0.0.7 |  |  | noted
logins as root or admin | flows | user:(root, admin) logon:*
maria logging in from china | declined
who logged on to the file server at night | declined
did maria log in yesterday | flows | user:maria logon:* | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
when did maria last log in | declined
file accesses by maria | flows | smb.file:accesses (device:maria or owner:maria) |  |  | noted
who opened payroll.xlsx | devices | smb.file:payroll.xlsx |  |  | noted
share finance accessed by guests | flows | smb.share:finance vlan:Guests |  |  | noted
zeek only | flows | source:zeek |  |  | noted
seen by suricata and zeek | flows | source:(suricata, zeek) |  |  | noted
alerts from sensor eve-1 | incidents | sensor:eve-1 |  |  | noted
sensor eve-1 traffic per hour today | flows | sensor:eve-1 | 2026-11-24T23:00 2026-11-25T10:30 | bytes by  1 1h | noted
large transfers at the weekend | flows | bytes>=10MB | 2026-11-20T23:00 2026-11-22T23:00 |  | noted
long ssh sessions to outside | flows | service:ssh direction:outbound duration>=1h |  |  | noted
short connections | declined
flows under 100 bytes to many hosts | declined
connections with no reply | declined
more than 1 GB in under a minute | flows | bytes>1GB duration<1m |  |  | noted
1 GB within an hour | declined
over 10000 packets and under 1 MB | flows | packets>10000 bytes<1MB |  |  | noted
rate over 10 MB/s | declined
fast transfers | declined
traffic of 10.0.0.7:443 and 10.0.0.8:443 | declined
critical incidents not assigned to ada or grace | incidents | severity=critical -assignee:(ada, grace)
`;
