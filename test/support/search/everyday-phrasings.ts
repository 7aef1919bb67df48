// Three lots of questions: by their first words, by what they name, and again by their first words. When they were first
// asked, 6, 4 and 6 were answered wrongly without a note.

/** As `ASKED_PHRASINGS`. */
export const EVERYDAY_PHRASINGS = `
any sign of ransomware | declined
anything weird on the domain controller tonight | incidents | device.type=domain_controller | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
are there open incidents nobody looks at | declined
are our printers safe | declined
is there telnet in the network | flows | service:telnet
is 203.0.113.5 one of ours | declined
is maria's laptop infected | declined
is vlan 20 allowed to reach vlan 30 | declined
does the camera network reach the servers | declined
does anyone in research use dropbox | devices | device.vlan:Research server_name:*dropbox* |  |  | noted
did we get scanned last night | incidents | detector=scan | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
did guests get to the servers | flows | vlan:Guests device.type:server |  |  | noted
did any server talk to a country outside europe | declined
did something new show up in vlan 20 | flows | vlan:20 |  |  | noted
have there been logins from russia | flows | src.country:RU logon:* |  |  | noted
has 10.0.0.5 ever talked to russia | flows | src.ip:10.0.0.5 dst.country:RU | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
has the firewall blocked anything | declined
how many workstations do we have | devices | device.type=workstation |  | count by  1
how many printers talk to the internet | devices | device.type=printer direction:outbound |  | count by  1 | noted
how many dns queries failed today | flows | dns.rcode=NXDOMAIN | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 | noted
how many different domains did 10.0.0.5 ask for | flows | src.ip:10.0.0.5 dns.query:* |  | count by dns.query 100 | noted
how many incidents does ada have | incidents | device:ada or owner:ada |  | count by  1 | noted
how many incidents per device | incidents |  |  | count by device 10
how many bytes left the site today | flows | direction:outbound | 2026-11-24T23:00 2026-11-25T10:30 | src.bytes by  1 | noted
how much does vlan 20 upload | flows | vlan:20 direction:outbound |  | src.bytes by  1 | noted
how long was 10.0.0.5 connected to 203.0.113.9 | declined
how often did 10.0.0.5 contact 203.0.113.9 | flows | src.ip:10.0.0.5 dst.ip:203.0.113.9 |  | count by  1 | noted
how often did maria fail to log in | flows | user:maria logon:failed |  | count by  1 | noted
who has access to the file server | flows | device.type=file_server |  |  | noted
who has the most incidents | incidents |  |  | count by device 10
who has tag pci | devices | tag=pci |  |  | noted
who is new | devices | first_seen:2026-11-18T10:30:00Z..2026-11-25T10:30:00Z |  |  | noted
who is on vlan 20 | devices | device.vlan:20
who is using port 8080 | devices | dst.port:8080 |  |  | noted
who is scanning | devices | detector=scan |  |  | noted
who is being scanned | devices | detector=scan |  |  | noted
who is sending mail | devices | service:smtp |  |  | noted
who is receiving mail from outside | devices | (device:receiving or owner:receiving) service:smtp direction:inbound |  |  | noted
who got mail from 203.0.113.9 | declined
who got scanned by 10.0.0.9 | devices | (device:got or owner:got) detector=scan src.ip:10.0.0.9 -device.ip:10.0.0.9 |  |  | noted
who was logged in on NASHUA | flows | (device:nashua or owner:nashua) logon:* |  |  | noted
who was contacted from outside | devices | direction:inbound |  |  | noted
who was reached by 203.0.113.9 | devices | src.ip:203.0.113.9
whose laptop is 10.0.0.5 | devices | device.type=workstation device.ip:10.0.0.5 |  |  | noted
whose device talked to russia | devices | dst.country:RU |  |  | noted
what runs on port 8080 | declined
what uses udp | flows | proto=udp
what is on 10.0.0.5 | flows | ip:10.0.0.5 |  |  | noted
what is new in the servers vlan | flows | vlan:Servers |  |  | noted
what was closed yesterday | incidents | status:(resolved, false_positive) | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
what was uploaded to dropbox | flows | server_name:*dropbox* direction:outbound |  |  | noted
what did 203.0.113.9 send us | declined
what did we send to 203.0.113.9 | flows | dst.ip:203.0.113.9 |  |  | noted
what comes from china | flows | src.country:CN |  |  | noted
what goes to china | flows | dst.country:CN |  |  | noted
what happened to 10.0.0.5 | flows | ip:10.0.0.5 |  |  | noted
what happened to NASHUA last night | flows | device:nashua or owner:nashua or server_name:*nashua* | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
what happened in vlan 20 at 3am | flows | vlan:20 | 2026-11-25T02:00 2026-11-25T02:30 |  | noted
what does 10.0.0.5 do at night | declined
what are the biggest flows to russia | flows | dst.country:RU bytes>=10MB |  |  | noted
what are the services of vlan 20 | flows | vlan:20 |  | bytes by service 10 | noted
what are our busiest servers | flows |  |  | bytes by dst.ip 10 | noted
which services are used by vlan 20 | flows | vlan:20 |  | bytes by service 10 | noted
which services use udp | flows | proto=udp |  | bytes by service 10 | noted
which ports are open to the internet | declined
which ports does 10.0.0.5 listen on | flows | ip:10.0.0.5 |  | count by dst.port 10 | noted
which ports were scanned | flows | detector=scan |  | count by dst.port 10 | noted
which server gets the most connections | declined
which servers are contacted by guests | flows | device.type:server vlan:Guests |  |  | noted
which servers contacted guests | flows | device.type:server vlan:Guests |  |  | noted
which servers are not ours | declined
which clients use 10.0.0.2 as dns server | declined
which users logged in to more than one device | declined
which users use rdp | flows | service:rdp |  | count by user 10 | noted
which users of research use dropbox | flows | vlan:Research server_name:*dropbox* |  | count by user 10 | noted
which devices belong to maria | devices | owner:maria
which devices of maria talk to russia | devices | (device:maria or owner:maria) dst.country:RU |  |  | noted
which devices are in contact with 10.0.0.5 | devices | dst.ip:10.0.0.5 -device.ip:10.0.0.5 |  |  | noted
which devices are contacted by 10.0.0.5 | devices | src.ip:10.0.0.5 -device.ip:10.0.0.5 |  |  | noted
which devices have been contacted from russia | devices | src.country:RU |  |  | noted
which devices have both incidents and no owner | declined
which incidents are mine or unassigned | declined
which incidents came from 10.0.0.5 | incidents | src.ip:10.0.0.5 |  |  | noted
which incidents hit the servers | incidents | device.type:server |  |  | noted
which incidents have flows to russia | incidents | dst.country:RU
which alerts came from suricata | incidents | source:suricata |  |  | noted
which alerts did 10.0.0.5 cause | incidents | ip:10.0.0.5 |  |  | noted
which alerts are about dns | incidents | service:dns |  |  | noted
which detectors fired today | incidents |  | 2026-11-24T23:00 2026-11-25T10:30 | count by detector 10 | noted
which sensors saw 10.0.0.5 | declined
which vlan has the most incidents | declined
which vlan does 10.0.0.5 belong to | flows | ip:10.0.0.5 owner:* |  | bytes by vlan 10 | noted
which vlans talk to the internet | flows | direction:outbound |  | bytes by vlan 10 | noted
which vlans does vlan 20 talk to | flows | vlan:20 |  | bytes by vlan 10 | noted
which countries are contacted by printers | flows | device.type=printer |  | bytes by dst.country 10 | noted
which countries log in to our servers | flows | device.type:server logon:* |  | count by src.country 10 | noted
which providers do we use | flows |  |  | bytes by dst.asn 10 | noted
which domains does the printer contact | flows | device.type=printer |  | count by dns.query 10 | noted
which domains belong to 203.0.113.9 | declined
which certificates expire soon | declined
which certificates does our web server use | flows | certificate:* device.type=web_server |  |  | noted
which user agents does 10.0.0.5 use | flows | src.ip:10.0.0.5 |  | count by user_agent 10 | noted
which files did maria open | flows | smb.file:* (device:maria or owner:maria) |  |  | noted
which files were opened on NASHUA | flows | smb.file:* (device:nashua or owner:nashua) |  |  | noted
which shares are used | flows | smb.share:* |  |  | noted
which tags do we use | devices | tag:* |  |  | noted
which owner has the most devices | declined
where does 10.0.0.5 connect to | flows | src.ip:10.0.0.5 |  | bytes by dst.ip 10 | noted
where is the traffic going | declined
where is the traffic to 203.0.113.9 coming from | declined
when was maria last logged in | declined
when was the last scan | declined
why is 10.0.0.5 suspicious | declined
flows by maria | flows | device:maria or owner:maria |  |  | noted
flows with maria | declined
flows without maria | declined
flows for 10.0.0.5 | flows | ip:10.0.0.5
flows at 10.0.0.5 | flows | dst.ip:10.0.0.5 |  |  | noted
flows on 10.0.0.5 | flows | ip:10.0.0.5
flows on desk 3 | flows | device:"desk 3" or owner:"desk 3" |  |  | noted
flows under 10.0.0.0/8 | flows | ip:10.0.0.0/8
flows behind 10.0.0.1 | declined
flows via the router | flows | device.type=router |  |  | noted
flows through 10.0.0.1 | flows | ip:10.0.0.1 |  |  | noted
flows towards the servers | flows | device.type:server |  |  | noted
flows away from the site | declined
flows into the site | flows | direction:inbound
flows out of the site | flows | direction:outbound
flows across the site | declined
flows within the site | declined
flows among servers | declined
flows among devices | declined
flows around noon | flows |  | 2026-11-24T11:00 2026-11-24T11:30 |  | noted
flows around 1 GB | declined
flows before the weekend | flows |  | 2026-10-20T23:00 2026-11-20T23:00 |  | noted
flows near midnight | declined
flows since the last incident | declined
flows per second | declined
flows per device and service | declined
flows over tcp | flows | proto=tcp
flows over 80 | flows | dst.port:80 |  |  | noted
flows over port 80 | flows | dst.port:80 |  |  | noted
flows over the weekend | flows |  | 2026-11-20T23:00 2026-11-22T23:00
flows over an hour | flows | duration>1h |  |  | noted
good overview of tonight's critical stuff | declined
which of the incidents of this week involve a server | incidents | device.type:server | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
show incidents that hit more than one machine | declined
list the incidents that ada has open | declined
give me the devices behind the latest critical incident | declined
devices involved in brute force | devices | detector=brute-force |  |  | noted
devices that were brute forced | declined
devices attacked from russia this month | incidents | src.country:RU | 2026-10-31T23:00 2026-11-25T10:30 |  | noted
devices with malware | devices | title:malware |  |  | noted
devices with beacons to russia | devices | detector:(beacon, beacon-name) dst.country:RU |  |  | noted
devices that beacon to evil.example | devices | detector:(beacon, beacon-name) server_name:(evil.example, *.evil.example) |  |  | noted
servers that beacon | devices | device.type:server detector:(beacon, beacon-name) |  |  | noted
servers scanned from the internet | devices | device.type:server detector=scan direction:inbound |  |  | noted
servers sending data to romania | devices | device.type:server dst.country:RO direction:outbound |  |  | noted
servers receiving data from romania | declined
servers receiving ssh from outside | declined
servers with ssh open to the internet | devices | device.type:server service:ssh status:open direction:outbound |  |  | noted
servers contacted by printers | declined
servers nobody contacts | declined
servers that only talk internally | declined
servers in vlan 20 and vlan 30 | devices | device.type:server device.vlan:(20, 30) |  |  | noted
servers in vlan 20 or printers in vlan 30 | declined
servers owned by it | devices | device.type:server owner:* |  |  | noted
the server 10.0.0.5 | devices | device.type:server device.ip:10.0.0.5 |  |  | noted
address of the printer | devices | device.type=printer |  |  | noted
addresses contacted by the printer | declined
addresses that contacted the printer | declined
ips that scanned us | flows | detector=scan |  | bytes by src.ip 10 | noted
ips in romania | flows | country:RO |  | bytes by dst.ip 10 | noted
external ips contacting 10.0.0.5 | flows | direction:inbound dst.ip:10.0.0.5 |  |  | noted
external hosts contacted by 10.0.0.5 | flows | direction:outbound src.ip:10.0.0.5 |  |  | noted
hosts in germany we talk to | devices | country:DE |  |  | noted
german hosts | flows | country:DE |  |  | noted
russian traffic | flows | country:RU |  |  | noted
russian visitors | flows | src.country:RU |  |  | noted
inbound from russia | flows | direction:inbound src.country:RU
outbound to russia over 10 MB | flows | direction:outbound dst.country:RU bytes>10MB |  |  | noted
over 10 MB to russia | flows | bytes>10MB dst.country:RU |  |  | noted
more than 10 MB sent to russia | flows | src.bytes>10MB dst.country:RU direction:outbound |  |  | noted
10 MB or more received from russia | flows | dst.bytes>=10MB dst.country:RU |  |  | noted
largest 5 flows to russia | declined
biggest senders to russia | flows | dst.country:RU |  | src.bytes by src.ip 10 | noted
biggest receivers from russia | flows | src.country:RU |  | dst.bytes by src.ip 10 | noted
top talkers to russia | flows | dst.country:RU |  | bytes by src.ip 10
top talkers with russia | flows | country:RU |  | bytes by src.ip 10 | noted
top countries for uploads | flows | direction:outbound |  | src.bytes by dst.country 10 | noted
top countries for 10.0.0.5 | flows | ip:10.0.0.5 |  | bytes by dst.country 10 | noted
top ports for 10.0.0.5 | flows | ip:10.0.0.5 |  | count by dst.port 10 | noted
top ports inbound | flows | direction:inbound |  | count by dst.port 10 | noted
top services outbound by bytes | flows | direction:outbound |  | bytes by service 10
top services of printers by flows | flows | device.type=printer |  | count by service 10
top domains for desk 3 | flows | device:"desk 3" or owner:"desk 3" |  | count by dns.query 10 | noted
top dns clients | declined
top dns servers | declined
top resolvers | declined
top mail senders | declined
top mail servers | declined
top web clients | declined
top ssh clients | declined
top ssh targets | declined
top scanners | declined
top users by failed logins | flows | logon:failed |  | count by user 10 | noted
top users on NASHUA | flows | device:nashua or owner:nashua |  | count by user 10 | noted
top devices in vlan 20 | flows | vlan:20 |  | bytes by device 10 | noted
top devices by traffic to russia | flows | dst.country:RU |  | bytes by device 10
top devices by number of flows | flows |  |  | count by device 10 | noted
top incidents | declined
top incidents by score | declined
top 5 open incidents | declined
top detectors by device | declined
top owners | devices |  |  | count by owner 10
top tags | devices |  |  | count by tag 10
flow count of 10.0.0.5 | flows | ip:10.0.0.5 |  | count by  1 | noted
flow count by hour | flows |  | 2026-11-24T10:30 2026-11-25T10:30 | count by  1 1h | noted
flows by hour and country | declined
flows grouped by sensor | flows |  |  | count by sensor 10
flows by source country | flows |  |  | count by src.country 10
flows by destination country | flows |  |  | count by dst.country 10
flows by source port | flows |  |  | count by src.port 10
flows by country of origin | flows | device:origin or owner:origin |  | count by dst.country 10 | noted
logins by hour | flows | logon:* | 2026-11-24T10:30 2026-11-25T10:30 | count by  1 1h | noted
logins by source country | flows | logon:* |  | count by src.country 10
logins by server | flows | logon:* |  | count by dst.ip 10 | noted
failed logins by server | flows | logon:failed |  | count by dst.ip 10 | noted
failed logins by source ip and user | declined
failed logins from one address | declined
lots of failed logins | declined
many failed logins from russia | declined
failed logins then success | declined
failed and successful logins of maria | declined
successful logins by root from outside | flows | logon:succeeded user:root direction:inbound |  |  | noted
logouts of maria | declined
login attempts on desk 3 | flows | (device:"desk 3" or owner:"desk 3") logon:* |  |  | noted
login attempts from desk 3 | flows | (device:"desk 3" or owner:"desk 3") logon:* |  |  | noted
logons with kerberos from vlan 20 | flows | service:krb vlan:20 logon:* |  |  | noted
ntlm logons | flows | service:ntlm logon:*
local admin logons | declined
accounts seen on desk 3 | flows | user:* (device:"desk 3" or owner:"desk 3") |  |  | noted
accounts seen from russia | flows | user:* src.country:RU |  |  | noted
account maria on 10.0.0.5 | flows | user:maria ip:10.0.0.5 |  |  | noted
account names with admin | declined
users in research | flows | vlan:Research |  | count by user 10 | noted
users with incidents | declined
user maria | flows | user:maria |  |  | noted
user maria's devices | devices | user:maria |  |  | noted
maria's traffic | flows | device:maria or owner:maria |  |  | noted
maria's traffic to russia | flows | (device:maria or owner:maria) dst.country:RU |  |  | noted
maria's uploads | flows | (device:maria or owner:maria) direction:outbound |  |  | noted
maria's failed logins on NASHUA | flows | user:maria logon:failed (device:nashua or owner:nashua) |  |  | noted
maria's laptop's dns queries | flows | (device:maria or owner:maria) device.type=workstation dns.query:* |  |  | noted
maria or tom's incidents | declined
maria@example.com | declined
MARIA-PC | devices | device:maria-pc or owner:maria-pc |  |  | noted
maria-pc to file-srv-01 | declined
maria-pc talking to file-srv-01 over smb | flows | (device:maria-pc or owner:maria-pc) (device:file-srv-01 or owner:file-srv-01) service:smb |  |  | noted
file-srv-01 | flows | file-srv-01 |  |  | noted
file-srv-01 incidents | incidents | file-srv-01 |  |  | noted
incidents for file-srv-01 and maria-pc | incidents | device:file-srv-01 or owner:file-srv-01 or device:maria-pc or owner:maria-pc |  |  | noted
traffic of file-srv-01 without backups | declined
smb from maria-pc | flows | service:smb (device:maria-pc or owner:maria-pc) |  |  | noted
smb to maria-pc | flows | service:smb (device:maria-pc or owner:maria-pc) |  |  | noted
dns of maria-pc to 8.8.8.8 | flows | service:dns (device:maria-pc or owner:maria-pc) dst.ip:8.8.8.8 |  |  | noted
rdp maria-pc | declined
rdp from maria-pc to anything | flows | service:rdp (device:maria-pc or owner:maria-pc) |  |  | noted
anything to maria-pc | flows | device:maria-pc or owner:maria-pc |  |  | noted
anything from russia to maria-pc | flows | src.country:RU (device:maria-pc or owner:maria-pc) |  |  | noted
anything between maria-pc and russia | flows | (device:maria-pc or owner:maria-pc) country:RU |  |  | noted
anything on port 4444 from maria-pc | flows | dst.port:4444 (device:maria-pc or owner:maria-pc) |  |  | noted
everything tagged pci | flows | tag=pci |  |  | noted
everything untagged | flows | -tag:* |  |  | noted
everything unknown | flows | device.type=unknown |  |  | noted
everything unassigned | incidents | -assignee:*
everything from outside except web | flows | direction:inbound -service:(http, tls)
everything from outside to servers except web | flows | direction:inbound device.type:server -service:(http, tls)
all but dns | declined
all but internal traffic | declined
not internal | flows | -direction:internal
neither dns nor web | declined
no tls | flows | -service:tls
without tls to russia | flows | -service:tls dst.country:RU |  |  | noted
only russia | declined
only inbound | declined
only critical | declined
excluding guests | flows | -vlan:Guests |  |  | noted
except vlan 20 | flows | -vlan:20 |  |  | noted
vlan 20 | flows | vlan:20 |  |  | noted
vlan 20 incidents | incidents | vlan:20 |  |  | noted
vlan 20 today | flows | vlan:20 | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
vlans | flows | vlan:* |  |  | noted
vlan guests to internet by country | flows | vlan:Guests direction:outbound |  | bytes by dst.country 10 | noted
vlan of 10.0.0.5 | flows | vlan:* ip:10.0.0.5 |  |  | noted
can you tell me if 10.0.0.5 sent something to 203.0.113.9 this week | declined
could you list the devices of the finance department | declined
i need every connection of the ceo's laptop since monday | flows | (device:ceo or owner:ceo) device.type=workstation | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
i want to know who used telnet yesterday | devices | service:telnet | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
is there any connection to port 23 | flows | dst.port:23
is anything listening on port 23 | flows | dst.port:23 |  |  | noted
do we have servers without an owner | devices | device.type:server -owner:*
do any servers have weak tls | flows | device.type:server tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) |  |  | noted
do printers contact russia | flows | device.type=printer dst.country:RU |  |  | noted
does 10.0.0.5 resolve strange names | declined
does Desk 3 upload a lot | declined
does somebody outside use our dns server | flows | direction:inbound device.type=dns_server |  |  | noted
has Desk 3 any incidents | incidents | device:"desk 3" or owner:"desk 3" |  |  | noted
has Desk 3 been scanned | incidents | (device:"desk 3" or owner:"desk 3") detector=scan |  |  | noted
has Desk 3 scanned anybody | incidents | (device:"desk 3" or owner:"desk 3") detector=scan |  |  | noted
have our servers been attacked today | incidents | device.type:server | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
have guests used rdp | flows | vlan:Guests service:rdp |  |  | noted
were there failed logins on the file server | flows | logon:failed device.type=file_server
were any critical incidents closed last week | incidents | severity=critical status:(resolved, false_positive) | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
was there an upload over 5 GB | flows | src.bytes>5GB direction:outbound |  |  | noted
was 10.0.0.9 contacted by guests | flows | dst.ip:10.0.0.9 vlan:Guests |  |  | noted
was port 3389 used from outside | flows | dst.port:3389 direction:inbound |  |  | noted
was maria logged in on Desk 3 yesterday | flows | user:maria (device:"desk 3" or owner:"desk 3") logon:* | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
what did guests download | flows | vlan:Guests |  |  | noted
what did the cameras do last night | flows | device.type=camera | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
what did russia send | flows | src.country:RU
what devices are in vlan 30 | devices | device.vlan:30
what devices use snmp | devices | service:snmp |  |  | noted
what devices did maria log in to | flows | user:maria logon:* |  |  | noted
what traffic goes to vlan 30 | flows | vlan:30 |  |  | noted
what traffic does vlan 30 have | flows | vlan:30 |  |  | noted
what incidents does the file server have | incidents | device.type=file_server |  |  | noted
what incidents are about russia | incidents | country:RU |  |  | noted
what incidents have been open longer than a week | incidents | status:open first_seen<-7d |  |  | noted
what was the largest upload yesterday | flows | direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 | src.bytes by src.ip 10 | noted
what was the most used port | flows |  |  | count by dst.port 10 | noted
what was contacted by 203.0.113.9 | flows | src.ip:203.0.113.9
what was looked up by guests | flows | vlan:Guests dns.query:* |  |  | noted
which domains were looked up by guests most | flows | vlan:Guests dns.query:* |  | count by dns.query 10 | noted
which of the printers use tls 1.0 | devices | device.type=printer tls.version:1.0 |  |  | noted
which one of the servers has incidents | declined
which internal devices scan others | declined
which internal devices are scanned by others | declined
which external addresses scan us | incidents | direction:inbound detector=scan |  |  | noted
which external servers does 10.0.0.5 use | flows | direction:outbound src.ip:10.0.0.5 |  |  | noted
which internal servers does 10.0.0.5 use | devices | device.type:server src.ip:10.0.0.5 -device.ip:10.0.0.5 |  |  | noted
which dns server does 10.0.0.5 use | devices | device.type=dns_server src.ip:10.0.0.5 -device.ip:10.0.0.5 |  |  | noted
which device is Desk 3 | devices | device:"desk 3" or owner:"desk 3" |  |  | noted
which device has the address 10.0.0.5 | devices | device.ip:10.0.0.5 |  |  | noted
which device has mac address 00:11:22:33:44:55 | declined
which person owns 10.0.0.5 | declined
which person has the most devices | declined
which analyst has the most incidents | declined
which incidents belong to ada | incidents | owner:ada |  |  | noted
which incidents belong to Desk 3 | declined
which incidents belong to the servers vlan | declined
which incidents include 10.0.0.5 | declined
which incidents exclude 10.0.0.5 | declined
which flows are part of incidents | declined
which flows have alerts | flows | alert:*
which flows belong to desk 3 | declined
which flows are encrypted | declined
which flows were long | flows | duration>=1h |  |  | noted
which flows to russia were long | flows | dst.country:RU duration>=1h |  |  | noted
which connections lasted over 2 hours | flows | duration>2h |  |  | noted
which connections were refused | declined
which logins failed | flows | logon:failed
which logins came from outside | flows | direction:inbound logon:* |  |  | noted
which logins were by root | flows | user:root logon:* |  |  | noted
which lookups failed | flows | dns.rcode=NXDOMAIN |  |  | noted
which queries went to 8.8.8.8 | flows | dst.ip:8.8.8.8 dns.query:* |  |  | noted
which hosts sent queries to 8.8.8.8 | devices | dst.ip:8.8.8.8 dns.query:* |  |  | noted
which hosts answered 10.0.0.5 | declined
which hosts got data from 10.0.0.5 | declined
which hosts gave data to 10.0.0.5 | declined
which hosts share files | devices | smb.share:* smb.file:* |  |  | noted
which hosts print | declined
which files were transferred | flows | smb.file:* |  |  | noted
which files did guests read | declined
who owns Desk 3 | devices | device:"desk 3" or owner:"desk 3" |  |  | noted
who owns the printers | devices | device.type=printer |  |  | noted
who owns the most devices | declined
who works on the critical incidents | declined
who works in vlan 30 | declined
who talks smb | devices | service:smb |  |  | noted
who talks smb to the outside | devices | service:smb direction:outbound
who talks to the file server most | declined
who sends the most to the file server | flows | device.type=file_server |  | src.bytes by src.ip 10 | noted
who talks to both 10.0.0.5 and 10.0.0.9 | declined
who talks to 10.0.0.5 but not to 10.0.0.9 | devices | dst.ip:10.0.0.5 -dst.ip:10.0.0.9 -device.ip:10.0.0.5 |  |  | noted
who talks to 10.0.0.5 or russia | declined
who never talks to the internet | devices | -direction:outbound |  |  | noted
who looked for evil.example or evil.test | declined
who else looked up evil.example | devices | dns.query:(evil.example, *.evil.example) |  |  | noted
who failed to log in to the file server | flows | logon:failed device.type=file_server |  |  | noted
who logged in as root | devices | user:root logon:* |  |  | noted
who logged in to 10.0.0.9 from 10.0.0.5 | devices | dst.ip:10.0.0.9 src.ip:10.0.0.5 logon:* |  |  | noted
who logged on at 3am | devices | logon:* | 2026-11-25T02:00 2026-11-25T02:30 |  | noted
who downloaded from dropbox | devices | server_name:*dropbox* |  |  | noted
who downloaded exe files | flows | (device:exe or owner:exe) smb.file:* |  |  | noted
who posted to 203.0.113.9 | declined
who uses curl | devices | device:curl or owner:curl or server_name:*curl* |  |  | noted
who uses ipv6 | devices | ip:"::/0" |  |  | noted
who uses kerberos | devices | service:krb |  |  | noted
who uses user agent python | devices | user_agent:python |  |  | noted
who uses old ssl | devices | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) |  |  | noted
who uses the dns server 10.0.0.2 | devices | dst.ip:10.0.0.2 -device.ip:10.0.0.2 |  |  | noted
who uses port 22 to go outside | devices | dst.port:22 direction:outbound |  |  | noted
who opened port 22 | devices | dst.port:22 |  |  | noted
who opened connections to port 22 | devices | dst.port:22 |  |  | noted
who accepts connections on port 22 | devices | dst.port:22 |  |  | noted
who offers port 22 | devices | dst.port:22 |  |  | noted
who blocks port 22 | declined
whom did the scanner scan | devices | detector=scan |  |  | noted
where do guests go | flows | vlan:Guests |  | bytes by dst.ip 10 | noted
where do printers connect to | flows | device.type=printer |  | bytes by dst.ip 10 | noted
where did the data go | flows |  |  | bytes by dst.ip 10 | noted
where did root log in from | declined
when did Desk 3 talk to russia | flows | (device:"desk 3" or owner:"desk 3") dst.country:RU |  |  | noted
when were the printers scanned | devices | device.type=printer detector=scan |  |  | noted
when does the backup run | declined
how many flows had alerts | flows | alert:* |  | count by  1 | noted
how many critical devices | devices | severity=critical |  | count by  1 | noted
how many open and investigating incidents | incidents | status:(open, investigating) |  | count by  1 | noted
how many guests are there | flows | vlan:Guests |  | count by  1 | noted
how many guests use rdp | flows | vlan:Guests service:rdp |  | count by  1 | noted
how many servers were scanned | devices | device.type:server detector=scan |  | count by  1 | noted
how many addresses did 10.0.0.5 contact | flows | src.ip:10.0.0.5 |  | bytes by dst.ip 100 | noted
how many addresses contacted 10.0.0.5 | flows | dst.ip:10.0.0.5 |  | bytes by src.ip 100 | noted
how many times was 203.0.113.9 contacted | flows | dst.ip:203.0.113.9 |  | count by  1 | noted
how many logins did maria have | flows | user:maria logon:* |  | count by  1 | noted
how many logins failed per hour | flows | logon:failed | 2026-11-24T10:30 2026-11-25T10:30 | count by  1 1h | noted
how many devices per vlan talk to russia | devices | dst.country:RU |  | count by device.vlan 10 | noted
how much traffic per device and hour | declined
how much traffic is encrypted | declined
how much traffic is internal | flows | direction:internal |  | bytes by  1
how much traffic does 10.0.0.5 get from outside | flows | ip:10.0.0.5 direction:inbound |  | bytes by  1 | noted
how much do printers send outside | flows | device.type=printer direction:outbound |  | src.bytes by  1 | noted
how much was sent to and received from russia | flows | dst.country:RU direction:outbound |  | src.bytes by  1 | noted
how much did maria and tom upload | flows | (device:maria or owner:maria or device:tom or owner:tom) direction:outbound |  | src.bytes by  1 | noted
how big was the largest flow | declined
how old is the oldest incident | declined
`;
