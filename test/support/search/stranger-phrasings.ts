// Three lots of questions as several kinds of people ask them; the first 166 were written before the grammar was
// read, the last 101 after the lots of the other tables.

/** As `ASKED_PHRASINGS`. */
export const STRANGER_PHRASINGS = `
is anything weird going on right now | incidents |  | 2026-11-25T10:15 2026-11-25T10:30 |  | noted
give me the ten noisiest machines on the network | flows |  |  | bytes by device 10 | noted
which host has resolved the most domains today | declined
did anybody plug in a new device over the weekend | declined
laptop that was never seen before today | declined
what is 10.77.0.14 up to | flows | ip:10.77.0.14 |  |  | noted
who is 10.10.3.73 | devices | device.ip:10.10.3.73 |  |  | noted
were there any failed ssh logins from outside | flows | service:ssh direction:inbound logon:failed
has anyone logged in by ssh from another country | declined
encrypted traffic to russia | declined
unencrypted logins | declined
clear text passwords | declined
ftp logins with anonymous user | declined
all the tls 1.0 connections still in use | flows | tls.version:1.0 |  |  | noted
old tls versions | flows | tls.version:("SSL 2.0", "SSL 3.0", 1.0, 1.1)
weak ciphers | declined
self signed certificates seen this week | incidents | title:self-signed | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
certs issued by let's encrypt today | flows | certificate.issuer:"let's encrypt" | 2026-11-24T23:00 2026-11-25T10:30
dns queries for .ru domains | flows | dns.query:*.ru |  |  | noted
dns requests of more than 50 characters | declined
nxdomain storm per host | declined
which machines ask a dns server other than ours | declined
devices using 8.8.8.8 as dns | declined
traffic on non standard ports | declined
http on ports other than 80 | flows | service:http dst.port!=80 |  |  | noted
ssh not on port 22 | flows | service:ssh -dst.port:22 |  |  | noted
rdp from internet | flows | service:rdp direction:inbound
rdp sessions longer than 2 hours | flows | service:rdp duration>2h
smb writes to \\\\fs01\\finance | declined
files with extension .exe over smb | declined
who opened payroll.xlsx | devices | smb.file:payroll.xlsx |  |  | noted
who accessed the file server after hours | declined
traffic at 3 in the morning | declined
connections between 2am and 4am last night | flows |  | 2026-11-25T01:00 2026-11-25T03:00
activity on sunday | flows |  | 2026-11-21T23:00 2026-11-22T23:00
incidents since my last shift | declined
incidents i haven't looked at yet | declined
what did i close last week | declined
unassigned critical incidents | incidents | -assignee:* severity=critical
incidents nobody is working on | incidents | -assignee:*
everything assigned to grace that's still open | incidents | assignee:grace status:(open, investigating) |  |  | noted
anything open for more than three days | incidents | status:open first_seen<-3d |  |  | noted
oldest open incident | incidents | status:open |  |  | noted
newest incidents first | declined
highest risk devices | devices | device.score>=40 |  |  | noted
devices with a risk above 70 | devices | device.score>70
show printers that talk to the internet | devices | device.type=printer direction:outbound
do our printers talk to china | flows | device.type=printer dst.country:CN |  |  | noted
cameras sending data abroad | flows | device.type=camera direction:outbound |  |  | noted
iot devices | devices | device.type=iot
which devices have no owner | devices | -owner:*
devices without a name | devices | -device:*
devices tagged critical | devices | tag=critical
devices in vlan 30 that were quiet this week | declined
devices offline since monday | devices | last_seen<2026-11-22T23:00:00Z
machines which stopped talking yesterday | declined
how many devices do we have | devices |  |  | count by  1
count of incidents per severity | incidents |  |  | count by severity 10
number of flows per protocol today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | count by proto 10
average flow size | declined
median duration of connections | declined
total traffic yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1
bandwidth per vlan | flows |  |  | bytes by vlan 10
traffic by country last 24 hours | flows |  | 2026-11-24T10:30 2026-11-25T10:30 | bytes by dst.country 10 | noted
top 5 destinations by volume | flows |  |  | bytes by dst.ip 5
bottom 5 devices by traffic | declined
least active devices | declined
rare user agents | declined
user agents containing python | flows | user_agent:python |  |  | noted
curl or wget downloads | declined
powershell user agent | flows | user_agent:powershell |  |  | noted
post requests to unknown hosts | flows | http.method=POST device.type=unknown |  |  | noted
http 500 errors on the intranet server | declined
http 404s per client | declined
large downloads in the night | flows | dst.bytes>=10MB | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
uploads bigger than 1 gb yesterday | flows | src.bytes>1GB direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
outgoing connections over 500 megabytes | flows | direction:outbound bytes>500MB
who sends the most data to the cloud | flows | device:cloud or owner:cloud |  | src.bytes by src.ip 10 | noted
dropbox or onedrive usage | declined
youtube traffic in the guest vlan | flows | server_name:*youtube* vlan:Guests |  |  | noted
how much netflix today | flows | server_name:*netflix* | 2026-11-24T23:00 2026-11-25T10:30 | bytes by  1 | noted
visits to facebook.com | flows | server_name:(facebook.com, *.facebook.com) |  |  | noted
connections to known bad ips | flows | intel:* |  |  | noted
hits on threat intel from the training room | flows | intel:* vlan:"Training room" |  |  | noted
tor exit nodes | declined
crypto mining | declined
is there ransomware | declined
ransomware on the servers | declined
lateral movement from scranton | incidents | detector=lateral-movement (device:scranton or owner:scranton) |  |  | noted
did nashua get compromised | declined
what happened to nashua after 10am yesterday | flows | device:nashua or owner:nashua or server_name:*nashua* | 2026-11-24T09:00 2026-11-25T10:30 |  | noted
timeline of scranton today | declined
incidents involving both scranton and nashua | incidents | (device:scranton or owner:scranton) (device:nashua or owner:nashua) |  |  | noted
incidents involving scranton or nashua | incidents | device:scranton or owner:scranton or device:nashua or owner:nashua |  |  | noted
alerts for 172.16.253.129 except beaconing | incidents | ip:172.16.253.129 -detector:(beacon, beacon-name)
all alerts but no scans | incidents | -detector=scan
false positives of last month | incidents | status:false_positive | 2026-09-30T22:00 2026-10-31T23:00 |  | noted
who marked it as false positive | declined
reopened incidents | declined
suppressed incidents | declined
incidents with score over 80 and still unassigned | incidents | score>80 -assignee:* |  |  | noted
technique t1021 on any host | incidents | technique:T1021 |  |  | noted
mitre command and control | incidents | detector:(beacon, beacon-name) |  |  | noted
brute force attempts against the domain controller | incidents | detector=brute-force device.type=domain_controller |  |  | noted
password spraying | declined
kerberoasting today | declined
golden ticket | declined
dga domains | incidents | detector=dga dns.query:* |  |  | noted
dns tunneling suspects | declined
beacons to 188.173.32.149 | incidents | detector:(beacon, beacon-name) dst.ip:188.173.32.149
port scans from inside | incidents | detector=scan direction:internal |  |  | noted
horizontal scan | declined
exfiltration larger than 100mb | incidents | detector=exfiltration bytes>100MB |  |  | noted
data leaving the company | flows | direction:outbound
inbound connections from brazil to servers | flows | direction:inbound src.country:BR device.type:server |  |  | noted
traffic to asn 15169 | flows | dst.asn:AS15169
connections to google's as | flows | server_name:*google* user:* |  |  | noted
ipv6 traffic only | flows | ip:"::/0" |  |  | noted
multicast | declined
broadcast traffic in office | declined
icmp from 10.0.0.0/8 to anywhere outside | flows | proto=icmp src.ip:10.0.0.0/8 direction:outbound |  |  | noted
udp floods | incidents | proto=udp detector=flood |  |  | noted
connections that were refused | declined
half open connections | declined
flows with only one packet | declined
flows that lasted less than a second | flows | duration<1s |  |  | noted
one way flows | declined
long running sessions still active | declined
quic traffic in last hour | flows | service:quic | 2026-11-25T09:30 2026-11-25T10:30
what used port 4444 | flows | dst.port:4444 |  |  | noted
anything listening on 3389 | flows | dst.port:3389 |  |  | noted
open ports on 10.10.4.50 | flows | dst.ip:10.10.4.50 |  | count by dst.port 10 | noted
telnet or ftp in the last fortnight | flows | service:(telnet, ftp) | 2026-11-11T10:30 2026-11-25T10:30 |  | noted
snmp queries not from the monitoring server | declined
ntp to outside servers | flows | service:ntp direction:outbound
mail sent by workstations | flows | service:smtp device.type=workstation direction:outbound |  |  | noted
smtp from anything which is not the mail server | flows | service:smtp -device.type=mail_server |  |  | noted
vpn users | declined
remote desktop by jonas | flows | service:rdp (device:jonas or owner:jonas) |  |  | noted
maria's laptop this morning | devices | (device:maria or owner:maria) device.type=workstation | 2026-11-25T05:00 2026-11-25T10:30 |  | noted
maria's incidents | incidents | device:maria or owner:maria |  |  | noted
logs of sensor zeek-office | declined
flows seen only by netflow | declined
zeek but not suricata | flows | source:zeek -source:suricata |  |  | noted
suricata alerts with priority 1 | declined
alerts of signature 2024897 | flows | alert.id=2024897
alerts in category trojan | flows | alert.category:trojan
et malware | declined
ja3 e7d705a3286e19ea42f587b344ee6865 seen when | declined
who else uses this ja3 | devices | ja3:* |  |  | noted
compare today with yesterday | declined
same hour last week | declined
difference in traffic to last monday | declined
why is 10.10.4.50 red | declined
could you please list me, if possible, the connections of the reception pc from today | declined
bitte alle vorfälle von heute | declined
what are the top 3 countries where our servers send data | declined
which user had the most failed logons | flows | logon:failed |  | count by user 10 | noted
failed logins followed by a success | declined
users with more than 10 failed logins | declined
admin logins outside of business hours | declined
does anybody use administrator account | declined
connections without dns lookup | declined
who talks to ip addresses directly without name | declined
first connection to 38.229.70.33 | declined
last time 38.229.70.33 was contacted | flows | dst.ip:38.229.70.33 | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
show me yesterday's alarms | declined
which pc sent data to 188.173.32.149 at night | declined
was 10.10.3.73 online on monday | declined
when was 10.10.4.50 seen the first time | declined
give me all traffic of 172.16.253.129 that is not http or dns | flows | ip:172.16.253.129 -service:(http, dns) |  |  | noted
traffic from the office to the servers vlan | flows | device.vlan:Office device.vlan:Servers |  |  | noted
guests talking to research | flows | device.vlan:Guests device.vlan:Research |  |  | noted
which guest devices looked up facebook.com | declined
smb traffic between office and servers without NASHUA | flows | service:smb device.vlan:Office device.vlan:Servers not (device:nashua or owner:nashua) |  |  | noted
all http traffic with status 404 or 500 | declined
http requests with more than 1 mb answer | declined
downloads of exe files from russia | flows | (device:exe or owner:exe) smb.file:* dst.country:RU |  |  | noted
flows that started before 8am and ended after 9am today | declined
connections starting between 22:00 and 06:00 | declined
activity during lunch break yesterday | declined
which incidents were closed without being assigned | incidents | status:(resolved, false_positive) -assignee:* |  |  | noted
incidents with a score between 40 and 60 | incidents | score:40..60
medium incidents or lower | incidents | severity<=medium
incidents that are neither closed nor false positives | declined
low and medium incidents that are open since a week | incidents | severity:(low, medium) status:open | 2026-11-18T10:30 2026-11-25T10:30 |  | noted
critical or high open incidents of the servers | incidents | severity:(critical, high) status:open device.type:server |  |  | noted
top 20 devices by number of incidents | incidents |  |  | count by device 20 | noted
number of new incidents today | incidents | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z |  | count by  1
how many incidents did we close yesterday | incidents | status:(resolved, false_positive) | 2026-11-23T23:00 2026-11-24T23:00 | count by  1 | noted
who closed the most incidents | declined
which detector fires most often | declined
most common alert signatures last 7 days | flows | alert:* | 2026-11-18T10:30 2026-11-25T10:30 | count by alert 10 | noted
alerts per hour today for 10.10.3.73 | incidents | ip:10.10.3.73 | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 1h | noted
top 10 user agents of the office vlan | flows | vlan:Office |  | count by user_agent 10 | noted
which tls versions do our servers speak | declined
servers that still accept ssl 3.0 | devices | device.type:server tls.version:"SSL 3.0" |  |  | noted
devices with both ssh and rdp | declined
clients that use telnet but not ssh | devices | service:telnet -service:ssh |  |  | noted
devices that talked only to 10.0.0.9 | declined
devices which never looked up anything | declined
devices with no traffic yesterday | declined
who talked to both 10.0.0.5 and 10.0.0.9 | declined
traffic from 10.0.0.5 or to 10.0.0.9 | declined
traffic neither from nor to 10.0.0.5 | declined
everything except dns from 10.0.0.5 | flows | -service:dns src.ip:10.0.0.5
anything but https to the internet | flows | -service:tls direction:outbound |  |  | noted
no dns, no http, just the rest of 10.0.0.5 | declined
external hosts that scanned us | incidents | direction:inbound detector=scan |  |  | noted
who is scanning our network from the outside | declined
which of our machines were scanned by 203.0.113.7 | devices | detector=scan src.ip:203.0.113.7 |  |  | noted
hosts that tried to log in to nashua and failed | flows | (device:nashua or owner:nashua or server_name:*nashua*) logon:failed |  |  | noted
failed then successful logins of maria | declined
login attempts for user administrator on SCRANTON | flows | user:administrator (device:scranton or owner:scranton) logon:* |  |  | noted
logins of maria or ada last week | declined
did ada log in on the file server on saturday | flows | user:ada device.type=file_server logon:* | 2026-11-20T23:00 2026-11-21T23:00 |  | noted
kerberos tickets for user krbtgt | flows | service:krb user:krbtgt |  |  | noted
privileged accounts used today | declined
uploads of more than 100 mb to countries outside europe | declined
uploads over 10 mb to the netherlands or germany | flows | src.bytes>10MB dst.country:(NL, DE) direction:outbound
traffic to every country except germany | declined
which countries receive data from the guests | flows | vlan:Guests |  | src.bytes by dst.country 10 | noted
how much did the office vlan download today | flows | vlan:Office | 2026-11-24T23:00 2026-11-25T10:30 | dst.bytes by  1 | noted
how much data left the network yesterday | flows | direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 | src.bytes by  1 | noted
average upload per device | declined
percentage of encrypted traffic | declined
biggest flow of today | flows | bytes>=10MB | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
longest connection of 10.0.0.5 | flows | ip:10.0.0.5 duration>=1h |  |  | noted
slowest connections | declined
shortest sessions | declined
the first 5 connections this morning | declined
last 10 incidents | declined
latest incident of SCRANTON | incidents | device:scranton or owner:scranton |  |  | noted
second most active device | declined
every device with risk higher than 50 or tag critical | declined
devices tagged critical and not owned by IT | devices | tag=critical -owner:IT |  |  | noted
laptops of sales in the office vlan | devices | device.type=workstation (device:sales or owner:sales) device.vlan:Office |  |  | noted
unowned devices in the training room | declined
which vlan has the most devices | declined
devices by owner | devices |  |  | count by owner 10
printers first seen this month | devices | first_seen:2026-10-31T23:00:00Z..2026-11-25T10:30:00Z device.type=printer
devices last seen before november | devices | last_seen<2026-10-31T23:00:00Z |  |  | noted
new servers in the guests network last week | devices | first_seen:2026-11-15T23:00:00Z..2026-11-22T23:00:00Z device.type:server device.vlan:Guests
phones that connect to china every day | devices | device.type=phone dst.country:CN | 2026-11-18T10:30 2026-11-25T10:30 | count by  1 1d | noted
does the reception pc beacon | declined
beaconing devices in the office | devices | detector:(beacon, beacon-name) device.vlan:Office |  |  | noted
exfiltration to the netherlands | incidents | detector=exfiltration dst.country:NL
incidents about dns tunnels from the guests vlan | incidents | detector=dns-tunnel vlan:Guests |  |  | noted
lateral movement between servers | declined
was there a ddos against us last night | incidents | detector=flood | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
malware on office machines | incidents | title:malware vlan:Office |  |  | noted
incidents without evidence | declined
open incidents older than a week assigned to me | incidents | status:open first_seen<-7d assignee:me |  |  | noted
my resolved incidents from last week | incidents | status:resolved assignee:me | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
incidents grace resolved yesterday | declined
incidents not mine | incidents | -assignee:me
incidents that nobody has looked at | incidents | -assignee:* |  |  | noted
all incidents but mine | declined
incidents i created | declined
incidents commented by ada | declined
what changed since yesterday | declined
what's new today | devices | first_seen:2026-11-24T23:00:00Z..2026-11-25T10:30:00Z |  |  | noted
anything new on the network since friday | flows |  | 2026-11-19T23:00 2026-11-25T10:30 |  | noted
nothing from russia please | declined
is port 3389 open to the internet | incidents | dst.port:3389 status:open direction:outbound |  |  | noted
servers reachable from the internet on port 22 | devices | device.type:server direction:inbound dst.port:22 |  |  | noted
incoming ssh that was accepted | flows | direction:inbound service:ssh logon:succeeded |  |  | noted
blocked connections from china | declined
traffic dropped by the firewall | declined
tcp resets | declined
udp on port 53 not to 10.0.0.1 | flows | proto=udp dst.port:53 -dst.ip:10.0.0.1 |  |  | noted
dns servers other than 10.0.0.1 | devices | device.type=dns_server -device.ip:10.0.0.1
dns answers with 10.0.0.1 | flows | dns.answer:10.0.0.1
who resolves names ending with .xyz | devices | dns.query:*.xyz |  |  | noted
txt lookups by printers | flows | dns.type=TXT device.type=printer |  |  | noted
domains looked up by only one device | declined
dns queries longer than 1 second | flows | duration>1s dns.query:* |  |  | noted
mx lookups that did not come from the mail server | declined
tls to servers with certificates from digicert | flows | service:tls device.type:server certificate:* (device:digicert or owner:digicert) |  |  | noted
connections with sni google.com but ip not in AS15169 | declined
https without sni | flows | service:tls -server_name:*
http to bare ip addresses | declined
self-signed certs on internal servers | incidents | title:self-signed device.type:server |  |  | noted
ja3 hashes of 10.0.0.5 | declined
ssh clients with libssh | declined
rdp and vnc from the internet to workstations | flows | service:(rdp, vnc) direction:inbound device.type=workstation |  |  | noted
netbios traffic in the office | declined
modbus writes | declined
mqtt from cameras to outside | flows | service:mqtt device.type=camera direction:outbound |  |  | noted
video calls today | declined
backup traffic at night | declined
windows updates | declined
traffic of the last business day | declined
traffic on the 1st of november | flows |  | 2026-10-31T23:00 2026-11-01T23:00
between nov 10 and nov 12 alerts from zeek | incidents | source:zeek | 2026-11-09T23:00 2026-11-12T23:00 |  | noted
incidents of the week before last | declined
from monday to wednesday, who used ssh | devices | service:ssh | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
yesterday from 8 to 10 in the morning uploads | declined
activity in the last 90 minutes of 10.0.0.5 | flows | ip:10.0.0.5 | 2026-11-25T09:00 2026-11-25T10:30
last quarter's incidents | incidents |  | 2026-06-30T22:00 2026-09-30T22:00
tomorrow's traffic | declined
incidents on weekends | declined
traffic outside working hours | declined
every hour traffic of yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1 1h | noted
daily number of alerts this month | incidents |  | 2026-10-31T23:00 2026-11-25T10:30 | count by  1 1d | noted
weekly incidents | declined
flows per minute | declined
trend of dns queries this week | declined
kindly share the list of open criticals | declined
i want know what machine is talk with outside most | declined
pls show critical alerts from today morning | incidents | severity=critical | 2026-11-25T05:00 2026-11-25T10:30 |  | noted
how is 10.0.0.5 behaving | declined
can you check if desk 2 has a virus | declined
who did download big file yesterday | devices | smb.file:* dst.bytes>=10MB | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
all what NASHUA made on tuesday | devices | device:nashua or owner:nashua | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
in which vlan is the device desk 4 | flows | device:"desk 4" or owner:"desk 4" |  | bytes by vlan 10 | noted
what os does 10.0.0.5 run | declined
mac address of SCRANTON | declined
who was using ip 10.0.0.5 on friday | devices | device.ip:10.0.0.5 | 2026-11-19T23:00 2026-11-20T23:00
ip addresses of all printers | declined
hostname of 10.10.3.73 | devices | device.ip:10.10.3.73 |  |  | noted
top talkers but not servers | flows | -device.type:server |  | bytes by src.ip 10 | noted
biggest uploaders without the backup server | declined
top 5 external destinations of the guests today by connections | declined
most visited websites by guests | flows | vlan:Guests |  | count by server_name 10 | noted
apps used in the office | devices | (device:apps or owner:apps) device.vlan:Office |  |  | noted
bytes by country for nashua last month | flows | device:nashua or owner:nashua | 2026-09-30T22:00 2026-10-31T23:00 | bytes by dst.country 10 | noted
compare uploads of desk 1 and desk 2 | declined
which is worse scranton or nashua | declined
list hosts with more than 5 incidents | declined
devices with more than 1 gb of traffic today | devices | bytes>1GB | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
sum of bytes from 10.0.0.5 to 10.0.0.9 this week | declined
total number of packets to russia | declined
number of distinct destinations of 10.0.0.5 | declined
how long was 10.0.0.5 connected to 38.229.70.33 | declined
since when is the beacon active | declined
why was incident opened | declined
delete all false positives | declined
block 188.173.32.149 | declined
close my incidents | declined
assign open incidents to ada | declined
export flows of today as csv | declined
rename desk 1 | declined
ignore 10.0.0.5 | declined
hide scans | declined
turn off alerts for printers | declined
who is downloading from the internet in the office right now | devices | direction:outbound device.vlan:Office | 2026-11-25T10:15 2026-11-25T10:30 |  | noted
which workstation sent the most mails this week | declined
mails from printers | flows | service:smtp device.type=printer |  |  | noted
does 10.10.3.73 speak to command and control servers | incidents | src.ip:10.10.3.73 detector:(beacon, beacon-name) |  |  | noted
has anything contacted 38.229.70.33 since the incident | declined
traffic to 38.229.70.33 before and after noon yesterday | declined
any traffic from vlan guests to vlan servers on port 3389 | flows | device.vlan:Guests device.vlan:Servers dst.port:3389 |  |  | noted
is there telnet inside our network | declined
is there any unencrypted mail | declined
http logins | flows | service:http logon:*
http logins that failed yesterday | flows | service:http logon:failed | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
who failed to log in more than 20 times | declined
user root on any server | flows | user:root device.type:server |  |  | noted
root logins from china | flows | user:root src.country:CN logon:* |  |  | noted
administrator activity last night | declined
accounts used from abroad | flows | direction:inbound |  | count by user 10 | noted
connections to the domain controller that are not kerberos or ldap | flows | device.type=domain_controller -service:(krb, ldap) |  |  | noted
ldap to servers that are no domain controllers | flows | service:ldap device.type:server -device.type=domain_controller |  |  | noted
dns to anything except our dns servers | flows | service:dns -device.type=dns_server |  |  | noted
dns traffic that goes outside | flows | service:dns direction:outbound |  |  | noted
ntp servers used by cameras | declined
web servers on port 8080 | devices | device.type=web_server dst.port:8080 |  |  | noted
which web servers answer with 500 | declined
smb version 1 | declined
smbv1 usage | declined
old ssh servers | declined
ssh server software of 10.0.0.9 | declined
tls fingerprints of desk 1 | declined
self signed | declined
certificates that expire soon | declined
expired certs on our servers | incidents | title:expired device.type:server |  |  | noted
devices with risk 100 | devices | device.score=100
devices with risk above 20 in the guests vlan seen today | devices | device.score>20 device.vlan:Guests | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
score of nashua | devices | device:nashua or owner:nashua |  |  | noted
severity of incident 5 | declined
incidents of type beacon | incidents | device.type=beacon |  |  | noted
incidents named beacon | incidents | title:beacon
titles containing malware | incidents | title:malware |  |  | noted
incident summary mentions dropbox | declined
which incident has the highest score | declined
the worst incidents of the week | declined
most severe incident today | declined
incidents with more than one device | declined
incidents across vlans | declined
incidents between office and guests | incidents | device.vlan:Office device.vlan:Guests |  |  | noted
incidents from guests to servers | incidents | vlan:Guests device.type:server |  |  | noted
incidents of laptops in the research vlan last week that are not resolved | incidents | device.type=workstation vlan:Research status:(open, investigating) | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
all low incidents closed last week by grace | incidents | severity=low status:(resolved, false_positive) assignee:grace | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
closed by grace | incidents | status:(resolved, false_positive) assignee:grace |  |  | noted
resolved by me yesterday | declined
ada's open ones | incidents | (device:ada or owner:ada) status:open |  |  | noted
open incidents of the day | declined
incidents today vs yesterday | declined
how many flows yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | count by  1
how many flows are internal | flows | direction:internal |  | count by  1
how many dns lookups did desk 1 make today | flows | (device:"desk 1" or owner:"desk 1") dns.query:* | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 | noted
how many nxdomain answers per hour today | flows | dns.rcode=NXDOMAIN | 2026-11-24T23:00 2026-11-25T10:30 | count by  1 1h
how many hosts were scanned | devices | detector=scan |  | count by  1 | noted
how many hosts did 10.0.0.5 scan | devices | ip:10.0.0.5 detector=scan |  | count by  1 | noted
number of servers with open incidents | declined
number of users | flows |  |  | count by user 100 | noted
how much dns traffic is there | flows | service:dns |  | bytes by  1 | noted
how much of the traffic is tls | flows | service:tls |  | bytes by  1 | noted
how much did nashua upload to china in november | flows | (device:nashua or owner:nashua) dst.country:CN direction:outbound | 2026-10-31T23:00 2026-11-25T10:30 | src.bytes by  1 | noted
how much traffic per vlan yesterday | flows |  | 2026-11-23T23:00 2026-11-24T23:00 | bytes by vlan 10
total upload of the guests this month | declined
ratio of upload to download | declined
uploads at least 1 gb to outside from servers at night | declined
big uploads from the servers to dropbox.com | flows | device.type:server server_name:(dropbox.com, *.dropbox.com) direction:outbound src.bytes>=10MB |  |  | noted
small flows | declined
very long connections | declined
long ssh sessions to germany | flows | service:ssh dst.country:DE duration>=1h |  |  | noted
ssh sessions of an hour or more | flows | service:ssh duration>=1h |  |  | noted
connections under 1 kb | flows | bytes<1kB
over 1 gb on port 22 | flows | bytes>1GB dst.port:22 |  |  | noted
port 22 or 3389 from the internet to servers | flows | dst.port:(22, 3389) direction:inbound device.type:server |  |  | noted
ports 80 and 443 of 10.0.0.9 | flows | dst.port:(80, 443) ip:10.0.0.9 |  |  | noted
any port but 443 to 203.0.113.7 | flows | dst.port!=443 dst.ip:203.0.113.7 |  |  | noted
traffic to 203.0.113.7 other than port 443 | flows | dst.ip:203.0.113.7 -dst.port:443 |  |  | noted
traffic not to germany | flows | -dst.country:DE
traffic not from or to germany | flows | -country:DE
outbound traffic to non european countries | declined
chinese devices | devices | country:CN |  |  | noted
russian ip addresses contacted by servers | declined
countries nobody contacted before | declined
new countries this week | declined
new domains today | flows | dns.query:* | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
new destinations of nashua | declined
first time connections | declined
devices that appeared after the 20th | devices | first_seen:2026-11-20T23:00:00Z..2026-11-25T10:30:00Z |  |  | noted
devices that disappeared | declined
devices that came back | declined
devices changing their ip | declined
duplicate ip addresses | declined
devices with two owners | declined
unknown phones | declined
smart tvs | declined
servers not in the servers vlan | devices | device.type:server -device.vlan:Servers
workstations outside the office vlan | devices | device.type=workstation -device.vlan:Office |  |  | noted
guests in the office vlan | flows | device.vlan:Guests device.vlan:Office |  |  | noted
training room machines with ssh to research | flows | device.vlan:"Training room" service:ssh device.vlan:Research |  |  | noted
`;
