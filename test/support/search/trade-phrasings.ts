// Two lots of questions, written together before the notes on sides and kinds, of analysts and of people of other
// trades. When they were asked, 9 of the first lot were answered wrongly without a note, and 3 of the second after the
// first had been mended.

/** As `ASKED_PHRASINGS`. */
export const TRADE_PHRASINGS = `
which accounts were used from outside the country | flows | direction:inbound |  | count by user 10 | noted
accounts used from abroad | flows | direction:inbound |  | count by user 10 | noted
devices with unknown owner | devices | -owner:*
user agents per device | declined
close my incidents | declined
who listens on port 22 | devices | dst.port:22 |  |  | noted
who answers on 443 | devices | dst.port:443 |  |  | noted
hosts with rdp exposed | declined
which of our servers accept ssh from the internet | devices | device.type:server service:ssh direction:inbound |  |  | noted
clients of 10.0.0.5 | devices | dst.ip:10.0.0.5 -device.ip:10.0.0.5 |  |  | noted
servers used by 10.0.0.5 | devices | device.type:server src.ip:10.0.0.5 -device.ip:10.0.0.5 |  |  | noted
what did 10.0.0.5 send to brazil last night | flows | src.ip:10.0.0.5 dst.country:BR direction:outbound | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
outgoing connections on port 4444 | flows | direction:outbound dst.port:4444 |  |  | noted
source port 53 traffic going out | flows | src.port:53 direction:outbound |  |  | noted
flows from port 445 | flows | src.port:445
connections with germany yesterday | flows | country:DE | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
german servers contacted | flows | dst.country:DE |  |  | noted
attacks from china | incidents | src.country:CN |  |  | noted
alerts about 10.0.0.5 | incidents | ip:10.0.0.5 |  |  | noted
alerts caused by 10.0.0.5 | incidents | src.ip:10.0.0.5 |  |  | noted
victims of scanning | declined
scanners in our network | incidents | detector=scan
who was brute forced | declined
which machines were attacked last week | incidents |  | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
attackers this month | incidents |  | 2026-10-31T23:00 2026-11-25T10:30 |  | noted
targets of incident attackers | declined
compromised devices | declined
infected laptops | declined
which of my incidents are overdue | declined
incidents waiting for me | declined
incidents no one touched for 2 days | declined
incidents that ada closed | declined
my team's incidents | incidents | (device:team or owner:team) assignee:me |  |  | noted
our open incidents | incidents | status:open
reopen incident 5 | declined
suppress scans from 10.0.0.9 | declined
block 10.0.0.5 | declined
isolate desk 3 | declined
export all flows of yesterday | declined
delete old flows | declined
assign me the critical incidents | declined
mark incident as resolved | declined
largest flow today | flows | bytes>=10MB | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
longest connection today | flows | duration>=1h | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
slowest dns answers | declined
biggest upload to a cloud provider | declined
who downloaded more than 1 GB | devices | dst.bytes>1GB |  |  | noted
who received more than 1 GB from outside | devices | dst.bytes>1GB direction:outbound |  |  | noted
devices that sent over 500 MB yesterday | devices | src.bytes>500MB direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
uploads bigger than downloads | declined
total traffic of desk 3 today | flows | device:"desk 3" or owner:"desk 3" | 2026-11-24T23:00 2026-11-25T10:30 | bytes by  1 | noted
average bytes per flow | declined
how many devices talked to 8.8.8.8 | devices | dst.ip:8.8.8.8 |  | count by  1 | noted
how many incidents were closed today | incidents | status:(resolved, false_positive) | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 | noted
how many users logged in from abroad | flows | direction:inbound logon:* |  | count by user 100 | noted
number of failed logins per account | flows | logon:failed |  | count by user 10
failed logins by source | flows | logon:failed |  | count by src.ip 10
failed ssh logins from outside | flows | service:ssh direction:inbound logon:failed
successful logins after failed ones | declined
logins at 3 in the morning | declined
logins outside working hours | declined
administrator logons to servers | flows | user:administrator device.type:server logon:* |  |  | noted
root logins over ssh | flows | user:root service:ssh logon:* |  |  | noted
did anyone log in as guest | devices | user:guest logon:* |  |  | noted
what did user maria access | flows | user:maria |  |  | noted
which shares did maria open | flows | smb.share:* (device:maria or owner:maria) |  |  | noted
file deletions on the nas | flows | smb.file:deletions device.type=file_server |  |  | noted
who accessed payroll.xlsx | devices | smb.file:payroll.xlsx |  |  | noted
dns queries for example.com from printers | flows | dns.query:(example.com, *.example.com) device.type=printer |  |  | noted
nxdomain per device | flows | dns.rcode=NXDOMAIN |  | count by device 10 | noted
dns servers other than ours | declined
who uses 8.8.8.8 for dns | devices | dst.ip:8.8.8.8 service:dns
devices that bypass our dns server | declined
doh usage | declined
quic traffic to google | flows | service:quic server_name:*google* |  |  | noted
what talks to facebook | flows | server_name:*facebook* |  |  | noted
traffic to *.ru domains | flows | server_name:*.ru |  |  | noted
emails sent outside by workstations | flows | service:smtp direction:outbound device.type=workstation |  |  | noted
printers talking to the internet | devices | device.type=printer direction:outbound
cameras that called home | devices | device.type=camera detector:(beacon, beacon-name) |  |  | noted
iot devices with weak tls | devices | device.type=iot tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) |  |  | noted
unencrypted traffic to the internet | declined
plaintext passwords | declined
telnet or ftp to outside | flows | service:(telnet, ftp) direction:outbound |  |  | noted
certificates expiring soon | declined
self-signed certs on internal servers | incidents | title:self-signed device.type:server |  |  | noted
tls 1.0 clients | devices | tls.version:1.0 |  |  | noted
servers still offering ssl | declined
devices first seen today | devices | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z
devices not seen this week | declined
devices that disappeared | declined
new servers in the office vlan | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z device.type:server device.vlan:Office |  |  | noted
devices moved to another vlan | declined
devices with more than 3 incidents | declined
devices without a name | devices | -device:*
devices owned by sales | devices | owner:sales
maria's laptop | devices | (device:maria or owner:maria) device.type=workstation |  |  | noted
laptops of maria and tom | devices | device.type=workstation (device:maria or owner:maria or device:tom or owner:tom) |  |  | noted
critical devices | devices | severity=critical |  |  | noted
important servers | devices | severity>=high device.type:server |  |  | noted
high risk devices | devices | device.score>=40 |  |  | noted
riskiest device | devices | device.score>=40 |  |  | noted
devices by risk | declined
top 10 devices by score | declined
incidents by age | declined
oldest open incident | incidents | status:open |  |  | noted
latest incidents | incidents |  |  |  | noted
most recent alerts of suricata | incidents | source:suricata |  |  | noted
suricata alerts with severity 1 | declined
alerts from zeek | incidents | source:zeek |  |  | noted
sensor east | flows | sensor:east |  |  | noted
what does sensor east see | flows | sensor:east |  |  | noted
unmonitored subnets | declined
vlan 20 to vlan 30 | flows | device.vlan:20 device.vlan:30 |  |  | noted
guest network to servers | flows | vlan:Guests device.type:server |  |  | noted
from guests to internet | flows | vlan:Guests direction:outbound |  |  | noted
traffic between office and servers | flows | device.vlan:Office device.vlan:Servers |  |  | noted
incidents in the research vlan | incidents | vlan:Research
inter-vlan traffic | declined
traffic inside vlan 10 | flows | direction:internal vlan:10
workstation to workstation smb | devices | device.type=workstation device.type=workstation service:smb |  |  | noted
server to internet | devices | device.type:server direction:outbound |  |  | noted
internet to server | flows | direction:inbound device.type:server |  |  | noted
pcs which visited 203.0.113.7 | devices | device.type=workstation dst.ip:203.0.113.7
who contacted evil.example.com first | declined
what happened on desk 3 at 14:00 | flows | device:"desk 3" or owner:"desk 3" | 2026-11-24T13:00 2026-11-24T13:30 |  | noted
what happened before the incident | declined
timeline of desk 3 | declined
story of 10.0.0.5 today | declined
peers of 10.0.0.5 | declined
who is 10.0.0.5 | devices | device.ip:10.0.0.5 |  |  | noted
where is 10.0.0.5 | declined
owner of 10.0.0.5 | devices | device.ip:10.0.0.5 |  |  | noted
tags of desk 3 | devices | tag:* (device:"desk 3" or owner:"desk 3") |  |  | noted
is 198.51.100.7 malicious | flows | ip:198.51.100.7 intel:* |  |  | noted
known bad ips contacted today | flows | intel:* | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
ioc matches last 7 days | declined
tor traffic | declined
vpn connections | declined
crypto mining | declined
lateral movement by maria | incidents | detector=lateral-movement (device:maria or owner:maria) |  |  | noted
data exfiltration to dropbox | incidents | detector=exfiltration server_name:*dropbox* |  |  | noted
beacons to russia | incidents | detector:(beacon, beacon-name) dst.country:RU
beaconing every hour | incidents | detector:(beacon, beacon-name) | 2026-11-24T10:30 2026-11-25T10:30 | count by  1 1h | noted
c2 on port 8443 | incidents | detector:(beacon, beacon-name) dst.port:8443 |  |  | noted
false positives this week | incidents | status:false_positive | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
incidents that are not scans | incidents | -detector=scan
everything except dns and web | flows | -service:(dns, http, tls) |  |  | noted
traffic that is not to germany | flows | -dst.country:DE |  |  | noted
devices that do not use dns | devices | -service:dns |  |  | noted
udp floods | incidents | proto=udp detector=flood |  |  | noted
ping sweeps | declined
t1046 incidents | incidents | technique:T1046 |  |  | noted
give me the flows of incident 12 | declined
what is new since yesterday | devices | first_seen:2026-11-23T23:00:00Z..2026-11-25T10:30:00Z |  |  | noted
anything strange tonight | incidents |  | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
is everything ok | declined
what should i do first | declined
please to show the computers what speak with russia | flows | country:RU |  |  | noted
how much is downloaded from the students today | flows | device:students or owner:students | 2026-11-24T23:00 2026-11-25T10:30 | dst.bytes by  1 | noted
it is possible see the connections of the printer? | flows | (device:possible or owner:possible or server_name:*possible*) device.type=printer |  |  | noted
which equipment is connecting itself to foreign lands | declined
give list of all alarms from the night | declined
alarms with priority high | declined
who makes so many dns queries | declined
why is the internet slow | declined
is somebody hacking us right now | declined
any virus on the pcs | declined
computers without antivirus | declined
patients monitors that talk to internet | declined
medical devices in vlan 40 | declined
infusion pumps talking outside | declined
plc traffic | flows | device.type=plc |  |  | noted
modbus writes from office | declined
modbus from workstations | flows | service:modbus device.type=workstation |  |  | noted
who polls the plc at 10.9.0.4 | declined
s7 connections | flows | s7 |  |  | noted
opc ua between servers | declined
badge readers offline | declined
cameras offline since friday | devices | device.type=camera last_seen<2026-11-19T23:00:00Z
devices quiet for a week | declined
voip phones calling abroad | devices | device.type=voip_phone direction:outbound
sip registrations from outside | declined
students using vpn | flows | (device:students or owner:students) (device:vpn or owner:vpn) |  |  | noted
pupils on tiktok | declined
youtube usage by pupils | declined
how much bandwidth does netflix take | declined
top 5 websites of guests | flows | vlan:Guests |  | count by server_name 5 | noted
which sites did desk 3 open yesterday | flows | server_name:* (device:"desk 3" or owner:"desk 3") | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
what did tom browse | flows | (device:tom or owner:tom) service:(http, tls) |  |  | noted
internet usage per person | declined
data usage per vlan this month | declined
monthly report of incidents | declined
incidents per week | declined
incidents per day last week | incidents |  | 2026-11-15T23:00 2026-11-22T23:00 | count by  1 1d | noted
trend of alerts | declined
compare today with yesterday | declined
number of open incidents by severity | incidents | status:open |  | count by severity 10
how many critical incidents were there last month | incidents | severity=critical | 2026-09-30T22:00 2026-10-31T23:00 | count by  1 | noted
mean time to resolve | declined
incidents resolved within an hour | declined
who resolved the most incidents | declined
workload per analyst | declined
incidents of ada and bob | incidents | device:ada or owner:ada or device:bob or owner:bob |  |  | noted
incidents handled by ada | incidents | assignee:ada
incidents without comment | declined
evidence for incident 4 | declined
access to the hr share after 18:00 | flows | smb.share:hr | 2026-11-24T17:00 2026-11-25T10:30 |  | noted
access to payroll by admins | flows | (device:payroll or owner:payroll or server_name:*payroll*) (device:admins or owner:admins) |  |  | noted
privileged accounts used at the weekend | declined
service accounts that logged in interactively | declined
accounts that failed to log in more than 10 times | declined
shared accounts | declined
users with logins from several devices | declined
logons by maria from other devices | declined
dormant accounts | declined
disabled accounts used | declined
new accounts today | flows | user:* | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
password changes | declined
outbound smb | flows | direction:outbound service:smb
smb leaving the network | flows | service:smb direction:outbound
smbv1 devices | declined
ssh brute forcing from vlan 30 | incidents | service:ssh detector=brute-force vlan:30 |  |  | noted
rdp from home | flows | service:rdp (device:home or owner:home) |  |  | noted
rdp sessions longer than 2 hours | flows | service:rdp duration>2h
remote access to servers | flows | (device:remote or owner:remote or server_name:*remote*) device.type:server |  |  | noted
teamviewer or anydesk | flows | server_name:(*teamviewer*, *anydesk*) |  |  | noted
who has remote desktop open | declined
open ports of 10.0.0.5 | flows | dst.ip:10.0.0.5 |  | count by dst.port 10 | noted
listening services of the file server | declined
services running on 10.0.0.5 | flows | dst.ip:10.0.0.5 |  | count by service 10 | noted
ports used by 10.0.0.5 | flows | src.ip:10.0.0.5 |  | count by dst.port 10 | noted
servers reachable from the internet | devices | device.type:server direction:inbound
exposed services | declined
firewall bypass | declined
denied connections | declined
dropped packets | declined
retransmissions | declined
connections without answer | declined
one-way traffic | declined
half open connections | declined
failed connections to 10.0.0.5 | declined
rejected handshakes | declined
broadcast traffic | declined
multicast | declined
arp spoofing | declined
ipv6 only devices | declined
ipv6 to the internet | flows | ip:"::/0" direction:outbound
dhcp servers in guests | devices | device.type=dhcp_server device.vlan:Guests |  |  | noted
second dhcp server | declined
unknown devices on the guest wifi | devices | device.type=unknown device.vlan:Guests |  |  | noted
strange macs | declined
devices by vendor | declined
apple devices | declined
all windows machines | declined
devices with mac 00:11:22:33:44:55 | declined
which device had 10.0.0.77 yesterday | devices | device.ip:10.0.0.77 | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
what is at 10.0.0.77 | flows | dst.ip:10.0.0.77 |  |  | noted
devices in 10.0.0.0/24 | devices | device.ip:10.0.0.0/24
traffic inside 10.0.0.0/24 | flows | direction:internal ip:10.0.0.0/24 |  |  | noted
traffic from 10.0.0.0/24 to 10.1.0.0/24 | flows | src.ip:10.0.0.0/24 dst.ip:10.1.0.0/24
traffic to and from 10.0.0.5 | flows | ip:10.0.0.5
what goes out of 10.0.0.5 | flows | ip:10.0.0.5 |  |  | noted
what comes into 10.0.0.5 | flows | dst.ip:10.0.0.5 |  |  | noted
10.0.0.5 as client | devices | ip:10.0.0.5 user:* |  |  | noted
10.0.0.5 as server | declined
responses from 10.0.0.5 | flows | dst.ip:10.0.0.5 |  |  | noted
10.0.0.5 <-> 10.0.0.9 | declined
10.0.0.5:445 | flows | ip:10.0.0.5 dst.port:445 |  |  | noted
to port 22 or 3389 from outside | flows | dst.port:(22, 3389) direction:inbound |  |  | noted
high ports | declined
ports above 1024 | flows | dst.port>1024 |  |  | noted
non-standard ports | declined
http on port 8080 | flows | service:http dst.port:8080 |  |  | noted
http not on port 80 | flows | service:http -dst.port:80 |  |  | noted
ssh on other ports than 22 | declined
dns over tcp | flows | service:dns proto=tcp
large dns answers | flows | dns.answer:* dst.bytes>=10MB |  |  | noted
long dns names | declined
random looking domains | declined
domains contacted by only one device | declined
rare domains | declined
new domains today | flows | dns.query:* | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
newly registered domains | declined
domains ending with .top | flows | server_name:*.top or dns.query:*.top |  |  | noted
subdomains of example.com | declined
requests for /wp-login.php | declined
post requests to china | flows | http.method=POST dst.country:CN
http errors from web servers | flows | http.status>=400 device.type=web_server |  |  | noted
404s | declined
curl or wget user agents | flows | user_agent:(curl, wget) |  |  | noted
python scripts contacting the internet | declined
powershell downloads | declined
ja3 of 10.0.0.5 | flows | ja3:* ip:10.0.0.5 |  |  | noted
fingerprint e7d705a3286e19ea42f587b344ee6865 | declined
certificates from let's encrypt | declined
suricata signature 2024897 yesterday | flows | source:suricata alert.id=2024897 | 2026-11-23T23:00 2026-11-24T23:00
et malware alerts | declined
alerts by category | flows | alert:* |  | count by alert.category 10
which rule fires most | declined
noisy signatures | declined
incidents with evidence of suricata | incidents | source:suricata |  |  | noted
incidents seen by zeek only | incidents | source:zeek |  |  | noted
things only netflow saw | declined
incidents above 70 | declined
score between 40 and 60 | incidents | score:40..60
incidents since monday morning | incidents |  | 2026-11-23T05:00 2026-11-25T10:30
between 8 and 10 yesterday | flows |  | 2026-11-24T07:00 2026-11-24T09:00 |  | noted
the last 90 minutes | flows |  | 2026-11-25T09:00 2026-11-25T10:30 |  | noted
first week of november | declined
on the night from friday to saturday | declined
at noon today | declined
tomorrow | declined
last friday 5pm to monday 8am | flows |  | 2026-11-20T16:00 2026-11-23T07:00 |  | noted
`;
