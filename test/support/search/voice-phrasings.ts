// Lots of questions in other people's voices: 40 of the first 99 and 25 of the second 100 were declined, and one was
// answered wrongly without a note, before their kinds were read.

/** As `ASKED_PHRASINGS`. */
export const VOICE_PHRASINGS = `
which detector fires the most | incidents |  |  | count by detector 10 | noted
connections tonight | flows |  | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
show me P2 incidents from this week | incidents | severity=high | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
who's been hammering 10.0.0.9 on 3389 today | devices | dst.ip:10.0.0.9 dst.port:3389 -device.ip:10.0.0.9 | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
any brute force on the RDP servers? | incidents | detector=brute-force service:rdp device.type:server |  |  | noted
rdp from abroad in the last 24h | flows | service:rdp direction:inbound | 2026-11-24T10:30 2026-11-25T10:30
which user had the most failed logins yesterday | flows | logon:failed | 2026-11-23T23:00 2026-11-24T23:00 | count by user 10 | noted
pull up open highs for last 7 days | incidents | status:open severity>=high | 2026-11-18T10:30 2026-11-25T10:30 |  | noted
NASHUA's incidents, newest first | incidents | device:nashua or owner:nashua |  |  | noted
is there an incident for UTICA already | incidents | device:utica or owner:utica |  |  | noted
all flows of 10.1.2.3 in the last 30 minutes | flows | ip:10.1.2.3 | 2026-11-25T10:00 2026-11-25T10:30
what hit 10.0.0.5 on port 445 around 3am | flows | dst.ip:10.0.0.5 dst.port:445 | 2026-11-25T02:00 2026-11-25T02:30 |  | noted
signature 2024897 last 3 days | flows | alert.id=2024897 | 2026-11-22T10:30 2026-11-25T10:30
how many times did rule 2024897 trigger today | flows | alert.id=2024897 | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 | noted
alerts raised by suricata today | incidents | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z source:suricata |  |  | noted
which signatures fired the most this week | flows |  | 2026-11-22T23:00 2026-11-25T10:30 | count by alert 10 | noted
top 5 alert categories last month | flows |  | 2026-09-30T22:00 2026-10-31T23:00 | count by alert.category 5
dns tunneling incidents that are unassigned | incidents | detector=dns-tunnel -assignee:*
who queried evil.example in the past two days | devices | dns.query:(evil.example, *.evil.example) | 2026-11-23T10:30 2026-11-25T10:30 |  | noted
traffic to evil.example or bad.example | flows | server_name:(evil.example, *.evil.example, bad.example, *.bad.example)
SCRANTON to internet over 443 since 8am | flows | (device:scranton or owner:scranton) direction:outbound dst.port:443 | 2026-11-25T07:00 2026-11-25T10:30 |  | noted
uploads bigger than 200MB from the servers vlan yesterday | flows | src.bytes>200MB vlan:Servers direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
who downloaded more than 2GB today | devices | dst.bytes>2GB | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
HTTP requests with curl user agent | flows | service:http user_agent:curl |  |  | noted
POST requests over 5MB to outside | flows | http.method=POST src.bytes>5MB direction:outbound
GET responses bigger than 100 MB | flows | http.method=GET dst.bytes>100MB
downloads of .exe files | declined
beaconing devices this week | devices | detector:(beacon, beacon-name) | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
beacons to russia | incidents | detector:(beacon, beacon-name) dst.country:RU
c2 incidents with severity at least high | incidents | detector:(beacon, beacon-name) severity>=high
priority high or above, unassigned | incidents | severity>=high -assignee:* |  |  | noted
criticals nobody is working on | incidents | severity=critical -assignee:*
incidents nobody has picked up since Friday | incidents | -assignee:* | 2026-11-19T23:00 2026-11-25T10:30 |  | noted
incidents without an assignee | incidents | -assignee:*
what is Ada Lopez working on | incidents | assignee:"ada lopez" |  |  | noted
incidents Bob closed last week | incidents | assignee:bob status:(resolved, false_positive) | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
incidents resolved by Bob in october | incidents | status:resolved assignee:bob | 2026-09-30T22:00 2026-10-31T23:00 |  | noted
false positives of the scan detector | incidents | status:false_positive detector=scan |  |  | noted
incidents with technique T1110 still open | incidents | technique:T1110 status:(open, investigating) |  |  | noted
kerberos failures from UTICA | flows | service:krb (device:utica or owner:utica) logon:failed |  |  | noted
failed logins for account administrator | flows | logon:failed user:administrator |  |  | noted
successful logins after failed ones for root | declined
smb from guests to servers | flows | service:smb vlan:Guests device.type:server |  |  | noted
smb connections coming in from the internet | flows | service:smb direction:inbound
traffic coming from 203.0.113.5 | flows | src.ip:203.0.113.5
traffic going to 203.0.113.5 or 203.0.113.6 | flows | dst.ip:(203.0.113.5, 203.0.113.6)
connections received by SCRANTON | flows | device:scranton or owner:scranton |  |  | noted
connections initiated by SCRANTON | flows | device:scranton or owner:scranton |  |  | noted
connections 10.0.0.5 made to outside | flows | src.ip:10.0.0.5 direction:outbound |  |  | noted
does 10.0.0.5 talk to anything in china | flows | src.ip:10.0.0.5 country:CN |  |  | noted
list all IPs that 10.0.0.5 talked to | flows | src.ip:10.0.0.5 |  | bytes by dst.ip 10 | noted
ip addresses contacted by 10.0.0.5 today | flows | src.ip:10.0.0.5 | 2026-11-24T23:00 2026-11-25T10:30 | bytes by dst.ip 10 | noted
which IPs tried to log in via ssh and failed | flows | service:ssh logon:failed |  | count by src.ip 10 | noted
external IPs scanning us | incidents | direction:inbound detector=scan |  |  | noted
external addresses with the most traffic | flows | direction:outbound |  | bytes by device 10 | noted
ports 8000-8100 | flows | dst.port:8000..8100 |  |  | noted
connections to ports 6660-6669 from the office vlan | flows | dst.port:6660..6669 vlan:Office |  |  | noted
anything on high ports above 50000 | flows | dst.port>50000 |  |  | noted
tcp connections to port 22 or 2222 | flows | proto=tcp dst.port:(22, 2222)
udp not dns | flows | proto=udp -service:dns
non-http traffic on port 80 | flows | -service:http dst.port:80 |  |  | noted
tls on ports other than 443 | flows | service:tls dst.port!=443 |  |  | noted
dns to servers other than 10.0.0.1 | flows | service:dns device.type:server -ip:10.0.0.1 |  |  | noted
doh traffic | declined
traffic with ja3 51c64c77e60f3980eea90869b68c58a8 | flows | ja3:51c64c77e60f3980eea90869b68c58a8
ja4 of SCRANTON | flows | ja4:* (device:scranton or owner:scranton) |  |  | noted
hosts sharing the same ja4 | declined
certificates issued by Let's Encrypt seen from UTICA | flows | certificate.issuer:"Let's Encrypt" (device:utica or owner:utica) |  |  | noted
flows without SNI | flows | -server_name:*
tls connections without server name to the internet | flows | service:tls -server_name:* direction:outbound
weak tls on servers | flows | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1) device.type:server |  |  | noted
the three noisiest devices today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | bytes by device 3 | noted
two busiest servers | flows |  |  | bytes by dst.ip 2 | noted
five largest uploads today | declined
ten most contacted countries | flows |  |  | bytes by dst.country 10 | noted
which device makes the most dns queries | flows | dns.query:* |  | count by src.ip 10 | noted
which host sends the most data | flows | direction:outbound |  | src.bytes by src.ip 10 | noted
which country do we get the most traffic from | flows |  |  | bytes by src.country 10 | noted
who talks to russia the most | flows | dst.country:RU |  | bytes by src.ip 10 | noted
who sent the most mail | flows | service:smtp direction:outbound |  | count by src.ip 10 | noted
busiest day this week | flows |  | 2026-11-22T23:00 2026-11-25T10:30 | count by  1 1d | noted
traffic per hour for UTICA yesterday | flows | device:utica or owner:utica | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1 1h | noted
incidents per day for the last month | incidents |  | 2026-09-30T22:00 2026-10-31T23:00 | count by  1 1d | noted
average number of alerts per day | declined
alerts per sensor | flows | alert:* |  | count by sensor 10 | noted
flows seen by more than one sensor | declined
sensor zeek1 flows | flows | sensor:zeek1 |  |  | noted
tickets assigned to me | incidents | assignee:me
my open criticals | incidents | status:open severity=critical assignee:me
new incidents in the last hour | incidents | first_seen:2026-11-25T09:30:00Z..2026-11-25T10:30:00Z
incidents started yesterday | incidents | first_seen:2026-11-23T23:00:00Z..2026-11-24T23:00:00Z
incidents updated in the last hour | incidents |  | 2026-11-25T09:30 2026-11-25T10:30 |  | noted
incidents about 10.0.0.5 or 10.0.0.6 | incidents | ip:(10.0.0.5, 10.0.0.6)
devices involved in incident 42 | declined
devices with critical incidents | devices | severity=critical
devices with incidents and no owner | devices | -owner:* severity:* |  |  | noted
servers with risk over 50 | devices | device.type:server device.score>50
risk score of UTICA | devices | device:utica or owner:utica |  |  | noted
hosts with risk between 40 and 60 | devices | device.score:40..60
devices nobody owns | devices | -owner:*
P1s | incidents | severity=critical |  |  | noted
Is anyone on the guest network watching youtube right now? | devices | device.vlan:Guests server_name:*youtube* | 2026-11-25T10:15 2026-11-25T10:30 |  | noted
Which of our computers were used last night? | devices |  | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
Show me the laptop of Ada Lopez | devices | device.type=workstation (device:"ada lopez" or owner:"ada lopez") |  |  | noted
Ada Lopez's laptop | devices | (device:"ada lopez" or owner:"ada lopez") device.type=workstation |  |  | noted
what did Ada Lopez's phone do yesterday | flows | (device:"ada lopez" or owner:"ada lopez") device.type=phone | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
traffic between UTICA and Desk 3 today | flows | (device:utica or owner:utica) (device:"desk 3" or owner:"desk 3") | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
Desk 3's uploads this week | flows | (device:"desk 3" or owner:"desk 3") direction:outbound | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
has anyone plugged in a new device since Monday | devices | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z |  |  | noted
which new phones joined the guest wifi this weekend | devices | first_seen:2026-11-20T23:00:00Z..2026-11-22T23:00:00Z device.type=phone device.vlan:Guests |  |  | noted
how many cameras do we have | devices | device.type=camera |  | count by  1
do we have any unknown devices on the servers vlan | devices | device.type=unknown device.vlan:Servers |  |  | noted
list every printer | devices | device.type=printer
what printers have been offline for a week | devices | device.type=printer last_seen<-7d |  |  | noted
devices I haven't seen since last month | devices | last_seen<2026-09-30T22:00:00Z
are there machines without a name | devices | -device:*
PLCs in VLAN 30 | devices | device.type=plc device.vlan:30 |  |  | noted
which PLCs talk to the internet | devices | device.type=plc direction:outbound |  |  | noted
HMIs contacted by engineering workstations | declined
modbus traffic from outside the servers vlan | flows | service:modbus -vlan:Servers |  |  | noted
s7 writes | declined
bacnet devices | devices | service:bacnet |  |  | noted
who is talking modbus to 10.0.0.9 | devices | service:modbus dst.ip:10.0.0.9 -device.ip:10.0.0.9 |  |  | noted
cameras sending data abroad | flows | device.type=camera direction:outbound |  |  | noted
which cameras called home last night | devices | device.type=camera detector:(beacon, beacon-name) | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
anything weird tonight | incidents |  | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
anything strange on the servers last night | incidents | device.type:server | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
any problems today? | incidents |  | 2026-11-24T23:00 2026-11-25T10:30
what happened on SCRANTON between 2pm and 3pm | flows | device:scranton or owner:scranton | 2026-11-24T13:00 2026-11-24T14:00 |  | noted
what happened yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
did anything get attacked this week | incidents |  | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
are we being scanned | incidents | detector=scan |  |  | noted
who attacked us last week | incidents |  | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
were there any attacks on the web server | incidents | device.type=web_server |  |  | noted
has any data left the company last night | flows | direction:outbound | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
how much data left the network yesterday | flows | direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 | src.bytes by  1 | noted
how much did we upload to the us this month | flows | dst.country:US direction:outbound | 2026-10-31T23:00 2026-11-25T10:30 | src.bytes by  1 | noted
how much traffic goes to germany per day | flows | dst.country:DE | 2026-11-18T10:30 2026-11-25T10:30 | bytes by  1 1d | noted
total bytes downloaded by SCRANTON today | flows | device:scranton or owner:scranton | 2026-11-24T23:00 2026-11-25T10:30 | dst.bytes by  1 | noted
how many connections did Desk 3 open to China | flows | (device:"desk 3" or owner:"desk 3") dst.country:CN |  | count by  1 | noted
how many different countries did we talk to | flows |  |  | bytes by dst.country 100 | noted
how many failed logins today | flows | logon:failed | 2026-11-24T23:00 2026-11-25T10:30 | count by  1
how many open incidents does Bob have | incidents | status:open (device:bob or owner:bob) |  | count by  1 | noted
number of devices per owner | devices |  |  | count by owner 10
number of devices by type | devices |  |  | count by device.type 10
devices grouped by vlan | devices |  |  | count by device.vlan 10
list of open incidents grouped by severity | incidents | status:open |  | count by severity 10 | noted
traffic grouped by service for the office vlan | flows | vlan:Office |  | bytes by service 10
top websites today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | count by server_name 10 | noted
most visited websites this month | flows |  | 2026-10-31T23:00 2026-11-25T10:30 | count by server_name 10
most used applications | flows |  |  | bytes by service 10 | noted
which websites did Desk 3 visit yesterday | flows | device:"desk 3" or owner:"desk 3" | 2026-11-23T23:00 2026-11-24T23:00 | count by server_name 10 | noted
did anyone visit facebook.com during lunch | declined
who has been on tiktok.com | devices | server_name:(tiktok.com, *.tiktok.com) |  |  | noted
who went to pornhub.com this week | devices | server_name:(pornhub.com, *.pornhub.com) | 2026-11-22T23:00 2026-11-25T10:30
students downloading torrents | flows | (device:students or owner:students) (device:torrents or owner:torrents) |  |  | noted
big downloads on the guest wifi today | flows | vlan:Guests dst.bytes>=10MB | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
large file transfers to the internet | flows | direction:outbound bytes>=10MB |  |  | noted
files copied from the file server | flows | smb.file:copied device.type=file_server |  |  | noted
who opened salaries.xlsx last week | devices | smb.file:salaries.xlsx | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
who accessed the share finance | devices | smb.share:finance |  |  | noted
which users logged in to SCRANTON today | flows | (device:scranton or owner:scranton or server_name:*scranton*) logon:* | 2026-11-24T23:00 2026-11-25T10:30 | count by user 10 | noted
did Ada log in this weekend | flows | user:ada logon:* | 2026-11-20T23:00 2026-11-22T23:00 |  | noted
logins outside working hours | declined
logons at night | declined
logins from other countries | flows | direction:inbound logon:*
password guessing against the mail server | incidents | detector=brute-force device.type=mail_server |  |  | noted
emails sent to gmail.com | flows | service:smtp server_name:(gmail.com, *.gmail.com) direction:outbound |  |  | noted
who sends mail without going through the mail server | devices | service:smtp -device.type=mail_server |  |  | noted
spam from our network | declined
is 198.51.100.7 bad | flows | ip:198.51.100.7 intel:* |  |  | noted
is 198.51.100.7 on a threat list | flows | ip:198.51.100.7 intel:* |  |  | noted
when did we last talk to 198.51.100.7 | flows | dst.ip:198.51.100.7 | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
who talked to 198.51.100.7 apart from SCRANTON | devices | dst.ip:198.51.100.7 not (device:scranton or owner:scranton) |  |  | noted
show everything about 10.0.0.23 | flows | ip:10.0.0.23
give me a list of servers that accept telnet | devices | device.type:server service:telnet |  |  | noted
which servers still use telnet or ftp | devices | device.type:server service:(telnet, ftp) |  |  | noted
which servers have rdp open to the internet | devices | device.type:server service:rdp status:open direction:outbound |  |  | noted
what services does 10.0.0.9 offer | flows | dst.ip:10.0.0.9 |  | bytes by service 10 | noted
which ports are open on UTICA | flows | device:utica or owner:utica |  | count by dst.port 10 | noted
what ports does SCRANTON use | flows | device:scranton or owner:scranton |  | count by dst.port 10 | noted
who uses port 8080 | devices | dst.port:8080 |  |  | noted
port 23 | flows | dst.port:23 |  |  | noted
https traffic to russia yesterday between 9 and 17 | flows | service:tls dst.country:RU | 2026-11-24T08:00 2026-11-24T16:00
traffic on sunday night | flows |  | 2026-11-22T19:00 2026-11-23T05:00
everything from last tuesday 14:00 to 16:30 | flows |  | 2026-11-24T13:00 2026-11-24T15:30 |  | noted
incidents from october 2026 | incidents |  | 2026-09-30T22:00 2026-10-31T23:00
incidents since the 20th | incidents |  | 2026-11-19T23:00 2026-11-25T10:30
incidents of the past quarter | incidents |  | 2026-08-26T10:30 2026-11-25T10:30
flows during the last 90 seconds | flows |  | 2026-11-25T10:28 2026-11-25T10:30
traffic older than two days | flows | first_seen<-2d |  |  | noted
between monday and wednesday, connections to iran | flows | dst.country:IR | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
incidents between 3 and 5 november | incidents |  | 2026-11-02T23:00 2026-11-05T23:00
incidents closed without feedback | declined
all incidents except false positives | incidents | -status:false_positive
incidents other than scans | incidents | -detector=scan
medium incidents or worse that are not assigned | incidents | severity>=medium -assignee:* |  |  | noted
incidents on devices owned by Bob | incidents | owner:Bob |  |  | noted
devices owned by neither Ada nor Bob | declined
everything except dns and ntp from 10.0.0.0/24 | flows | -service:(dns, ntp) src.ip:10.0.0.0/24 |  |  | noted
anything but web traffic leaving the servers vlan | flows | -service:(http, tls) vlan:Servers |  |  | noted
top five countries by upload volume | flows |  |  | src.bytes by dst.country 5 | noted
top 5 destinations by data volume | flows |  |  | bytes by dst.ip 5 | noted
any medium or worse alerts on the guest wifi | incidents | severity>=medium vlan:Guests |  |  | noted
ftp leaving the building this week | flows | service:ftp direction:outbound | 2026-11-22T23:00 2026-11-25T10:30
which laptops used telegram yesterday | devices | device.type=workstation server_name:*telegram* | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
what has Mara Lindt closed this month | incidents | assignee:"mara lindt" status:(resolved, false_positive) | 2026-10-31T23:00 2026-11-25T10:30 |  | noted
anything on ports 6660-6669 | flows | dst.port:6660..6669 |  |  | noted
flows with source port below 1024 | flows | src.port<1024
500 errors served by UTICA | declined
`;
