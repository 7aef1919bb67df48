// Questions of a night shift and of a factory: five of the first 160 were answered wrongly without a note, and half of
// them were declined, before their kinds were read.

/** As `ASKED_PHRASINGS`. */
export const SHIFT_PHRASINGS = `
anything to north korea or iran ever | flows | dst.country:(KP, IR) | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
has 10.0.0.5 ever talked to 8.8.8.8 | flows | src.ip:10.0.0.5 dst.ip:8.8.8.8 | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
telnet flows at any time | flows | service:telnet | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
ssh of all time | flows | service:ssh | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
top talkers ever | flows |  | 2026-10-25T10:30 2026-11-25T10:30 | bytes by src.ip 10 | noted
ssh ever yesterday | flows | service:ssh | 2026-11-23T23:00 2026-11-24T23:00
ssh always | declined
did anyone ever log in to 10.0.0.5 by ssh | devices | dst.ip:10.0.0.5 service:ssh logon:* -device.ip:10.0.0.5 |  |  | noted
last time we talked to russia | flows | dst.country:RU | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
devices with risk > 70 | devices | device.score>70
devices with risk>=70 | devices | device.score>=70
incidents with score > 60 today | incidents | score>60 | 2026-11-24T23:00 2026-11-25T10:30
flows from 10.0.0.5 with bytes > 5MB | flows | src.ip:10.0.0.5 bytes>5MB |  |  | noted
Who connected to the port 3389 on 10.0.1.20? | devices | dst.port:3389 dst.ip:10.0.1.20 -device.ip:10.0.1.20 |  |  | noted
who connected to 10.0.1.6 | devices | dst.ip:10.0.1.6 -device.ip:10.0.1.6 |  |  | noted
which printers did 10.0.1.6 contact | devices | device.type=printer src.ip:10.0.1.6 -device.ip:10.0.1.6 |  |  | noted
who logged in on 10.0.1.20 | devices | dst.ip:10.0.1.20 logon:* -device.ip:10.0.1.20 |  |  | noted
which hosts use port 445 on 10.0.1.5 | devices | dst.port:445 dst.ip:10.0.1.5 -device.ip:10.0.1.5 |  |  | noted
who spoke to port 22 of 10.0.1.5 | devices | dst.port:22 dst.ip:10.0.1.5 -device.ip:10.0.1.5 |  |  | noted
who used ssh in 10.0.1.0/24 | devices | service:ssh device.ip:10.0.1.0/24 |  |  | noted
who contacted 10.0.1.5 or 10.0.1.6 | devices | dst.ip:(10.0.1.5, 10.0.1.6) -device.ip:(10.0.1.5, 10.0.1.6) |  |  | noted
whats assigned to me | incidents | assignee:me
which incidents are assigned to me | incidents | assignee:me
Show the mail traffic (smtp) which does not come from our mail server 10.0.1.25. | flows | service:smtp -src.ip:10.0.1.25 |  |  | noted
ssh not from the server SCRANTON | flows | service:ssh not (device:scranton or owner:scranton) |  |  | noted
devices other than the printer 10.0.1.5 | devices | -device.ip:10.0.1.5 |  |  | noted
Which laptops have not been seen for more than 14 days? | devices | device.type=workstation last_seen<-14d
devices not seen in the last 14 days | devices | last_seen<-14d
devices not seen in 14 days | devices | last_seen<-14d
devices not seen for at least 2 weeks | devices | last_seen<-14d
devices seen for more than 14 days | declined
SCRANTON -> NASHUA | flows | (device:scranton or owner:scranton) (device:nashua or owner:nashua or server_name:*nashua*) |  |  | noted
10.0.1.5->10.0.1.6 | flows | src.ip:10.0.1.5 dst.ip:10.0.1.6 |  |  | noted
does UTICA ever talk to 10.0.1.15 | flows | (device:utica or owner:utica) dst.ip:10.0.1.15 | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
did our cameras talk to addresses in China yesterday | flows | device.type=camera dst.country:CN | 2026-11-23T23:00 2026-11-24T23:00 |  | noted
traffic to hosts located in Russia | flows | dst.country:RU |  |  | noted
Does 10.77.0.12 talk with any address which is not in the Czech Republic? | flows | ip:10.77.0.12 -country:CZ |  |  | noted
outbound to cn or ru over 100mb | flows | direction:outbound dst.country:(CN, RU) bytes>100MB |  |  | noted
traffic to CN | flows | dst.country:CN |  |  | noted
flows from de | flows | src.country:DE |  |  | noted
top destination countries excluding us and de | flows | -country:(US, DE) |  | bytes by dst.country 10 | noted
what did we send to it | flows | direction:outbound |  |  | noted
plc talking to smth other than 10.77.0.x | flows | device.type=plc -dst.ip:10.77.0.0/24 |  |  | noted
10.77.x.x to internet | flows | src.ip:10.77.0.0/16 direction:outbound |  |  | noted
traffic from 10.1.2.* | flows | src.ip:10.1.2.0/24
open crit incidents | incidents | status:open severity=critical
high or crit incs not assigned to anyone | incidents | severity:(high, critical) -assignee:*
incidents with high or critical severity from last week | incidents | severity:(high, critical) | 2026-11-15T23:00 2026-11-22T23:00
severity high or critical incidents | incidents | severity:(high, critical)
How many incidents are open at this moment? | incidents | status:open |  | count by  1 | noted
which incidents are open at the moment | incidents | status:open |  |  | noted
cams phoning home to china | devices | device.type=camera detector:(beacon, beacon-name) dst.country:CN |  |  | noted
conns to port 4444 | flows | dst.port:4444
how many devs on vlan 20 | devices | device.vlan:20 |  | count by  1
flows longer than 6 hrs | flows | duration>6h
port scans from inside tonite | incidents | detector=scan direction:internal | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
devices tagged dev | devices | tag=dev
show me all tls w/ no sni | flows | service:tls -server_name:*
fps last week | incidents | status:false_positive | 2026-11-15T23:00 2026-11-22T23:00 |  | noted
lateral movement incs w/ SCRANTON | incidents | detector=lateral-movement (device:scranton or owner:scranton) |  |  | noted
biggest uploads this week | flows | direction:outbound | 2026-11-22T23:00 2026-11-25T10:30 | src.bytes by src.ip 10 | noted
largest downloads of today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | dst.bytes by src.ip 10 | noted
largest downloads by NASHUA | flows | (device:nashua or owner:nashua) dst.bytes>=10MB |  |  | noted
did anyone connect to us | declined
incidents of Ada Lopez not yet resolved | incidents | assignee:"ada lopez" status:(open, investigating) |  |  | noted
incidents of Ada Lopez's devices | incidents | device:"ada lopez" or owner:"ada lopez" |  |  | noted
did 10.0.0.5 and 10.0.0.9 ever talk to each other | flows | ip:10.0.0.5 ip:10.0.0.9 | 2026-10-25T10:30 2026-11-25T10:30 |  | noted
did SCRANTON and NASHUA talk to eachother | flows | (device:scranton or owner:scranton) (device:nashua or owner:nashua) |  |  | noted
do SCRANTON and NASHUA communicate with one another | flows | (device:scranton or owner:scranton) (device:nashua or owner:nashua) |  |  | noted
incs opened in past 8 hrs sorted by sev | incidents | first_seen:2026-11-25T02:30:00Z..2026-11-25T10:30:00Z |  |  | noted
top dest countries by bytes out excluding us and de | flows | -country:(US, DE) |  | src.bytes by dst.country 10 | noted
What are top 5 AS organisations by bytes received? | flows |  |  | dst.bytes by dst.asn 5 | noted
How many devices are in each VLAN? | devices |  |  | count by device.vlan 10 | noted
oldest unresolved inc | incidents | status:(open, investigating) |  |  | noted
newest incident | incidents |  |  |  | noted
newest devices | declined
Which machine has the highest risk score? | devices | device.score>=40 |  |  | noted
exp certs last 7d | incidents | title:expired | 2026-11-18T10:30 2026-11-25T10:30 |  | noted
Certificates that are expired, please | incidents | title:expired |  |  | noted
curl or wget UAs from servers | flows | user_agent:(curl, wget) device.type:server |  |  | noted
who uses dropbox or mega | devices | server_name:(*dropbox*, *mega*) |  |  | noted
ntlm auth today | flows | service:ntlm logon:* | 2026-11-24T23:00 2026-11-25T10:30
who logged onto SCRANTON last night | flows | (device:scranton or owner:scranton or server_name:*scranton*) logon:* | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
Which connections go to other countries than Czechia, Germany and Austria? | flows | dst.country:* -dst.country:(CZ, DE, AT) |  |  | noted
What DNS names did 10.0.1.15 ask for today? | flows | src.ip:10.0.1.15 dns.query:* | 2026-11-24T23:00 2026-11-25T10:30 | count by dns.query 10 | noted
Did any machine ask DNS for a name which ends with .ru in the last 30 days? | devices | dns.query:*.ru | 2026-10-26T10:30 2026-11-25T10:30 |  | noted
DNS lookups that did fail with NXDOMAIN, ranked by device | flows | dns.rcode=NXDOMAIN |  | count by device 10 | noted
What kind of device is Desk 3? | devices | device:"desk 3" or owner:"desk 3" |  |  | noted
ssh 8:00-10:00 today | flows | service:ssh | 2026-11-25T07:00 2026-11-25T09:00
ssh 8am-9am | flows | service:ssh | 2026-11-25T07:00 2026-11-25T08:00
peak hr for outbound traffic yesterday | flows | direction:outbound | 2026-11-23T23:00 2026-11-24T23:00 | bytes by  1 1h | noted
flows over 1gb sat or sun | flows | bytes>1GB | 2026-11-20T23:00 2026-11-22T23:00
Traffic on Saturday and Sunday | flows |  | 2026-11-20T23:00 2026-11-22T23:00
traffic on monday and wednesday | declined
ssh between 0100 and 0215 | flows | service:ssh | 2026-11-25T00:00 2026-11-25T01:15
conns from 10.0.1.23 on nov 24 btwn 0100 and 0215 | flows | src.ip:10.0.1.23 | 2026-11-24T00:00 2026-11-24T01:15
bytes per vlan since 1800 | flows |  | 2026-11-24T17:00 2026-11-25T10:30 | bytes by vlan 10 | noted
flows since 2026 | declined
top 10 sigs by count last 24 | flows |  | 2026-11-24T10:30 2026-11-25T10:30 | count by alert 10 | noted
traffic of Front desk on 24.11.2026 8:00 to 12:00 | declined
Who logged on to the server 10.0.1.10 between midnight and five o'clock this morning? | devices | dst.ip:10.0.1.10 logon:* -device.ip:10.0.1.10 | 2026-11-24T23:00 2026-11-25T04:00 |  | noted
traffic to the server 10.0.1.10 | flows | dst.ip:10.0.1.10 |  |  | noted
flows at five o'clock | flows |  | 2026-11-25T04:00 2026-11-25T04:30 |  | noted
devices with incidents in the last 30 days | devices | severity:* | 2026-10-26T10:30 2026-11-25T10:30 |  | noted
high risk devices owned by Ada Lopez | devices | device.score>=40 owner:"Ada Lopez" |  |  | noted
incidents assigned to Bob but still open | incidents | assignee:Bob status:(open, investigating)
which incident involves both SCRANTON and NASHUA | incidents | (device:scranton or owner:scranton) (device:nashua or owner:nashua) |  |  | noted
who talks to both 10.0.0.5 and 10.0.0.9 | declined
ssh sessions from outside that succeeded | flows | service:ssh direction:inbound logon:succeeded |  |  | noted
hosts w no traffic in last 7 days | devices | last_seen<-7d
any smb off SCRANTON since midnight | flows | service:smb (device:scranton or owner:scranton) | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
which devices are off | declined
where did 10.0.0.5 send data | flows | src.ip:10.0.0.5 direction:outbound |  | src.bytes by dst.ip 10 | noted
where is SCRANTON | declined
Which alerts were the most frequent since Friday? | flows | alert:* | 2026-11-19T23:00 2026-11-25T10:30 | count by alert 10 | noted
the five devices which sent the most data outside this week | flows | direction:outbound | 2026-11-22T23:00 2026-11-25T10:30 | src.bytes by src.ip 5 | noted
Which addresses from outside have contacted our servers on Tuesday morning? | flows | direction:inbound device.type:server | 2026-11-24T05:00 2026-11-24T11:00 | bytes by src.ip 10 | noted
traffic of SCRANTON from 24.11. 8:00 to 12:00 | flows | device:scranton or owner:scranton | 2026-11-24T07:00 2026-11-24T11:00 |  | noted
Which machines communicated between the second and the fifth of November? | devices |  | 2026-11-01T23:00 2026-11-05T23:00 |  | noted
SCRANTON -> NASHUA traffic any port | flows | (device:scranton or owner:scranton) (device:nashua or owner:nashua or server_name:*nashua*) |  |  | noted
incidents not false positive and not resolved | incidents | -status:false_positive status:(open, investigating) |  |  | noted
which incidents were opened by the beacon detector this week | incidents | first_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z detector:(beacon, beacon-name) |  |  | noted
alerts with signature ET MALWARE | flows | alert:"ET MALWARE"
is 10.0.1.5 a printer | devices | device.ip:10.0.1.5 device.type=printer |  |  | noted
http requests with status 500 to 10.0.1.20 | flows | service:http http.status=500 dst.ip:10.0.1.20
sev high+ incidents this week | incidents | severity>=high | 2026-11-22T23:00 2026-11-25T10:30
all incidents that mention UTICA or SCRANTON | incidents | device:utica or owner:utica or device:scranton or owner:scranton |  |  | noted
top 5 devices by number of incidents | incidents |  |  | count by device 5 | noted
top countries by incidents | declined
logins last night after 11pm | flows | logon:* | 2026-11-24T22:00 2026-11-25T05:00
ssh yesterday after 20:00 | flows | service:ssh | 2026-11-24T19:00 2026-11-24T23:00
who opened payroll.xlsx on the file server | flows | smb.file:payroll.xlsx device.type=file_server |  |  | noted
who used rdp on SCRANTON | flows | service:rdp (device:scranton or owner:scranton) |  |  | noted
printers on vlan 20 | devices | device.type=printer device.vlan:20
devices last seen before november 20 | devices | last_seen<2026-11-19T23:00:00Z |  |  | noted
servers last seen this week | devices | device.type:server last_seen:2026-11-22T23:00:00Z..2026-11-25T10:30:00Z |  |  | noted
Which devices talked over SMB with a host outside the servers VLAN during the past seven days | declined
did any camera communicate with the internet in the past week | flows | device.type=camera direction:(inbound, outbound) | 2026-11-18T10:30 2026-11-25T10:30 |  | noted
Which ports on SCRANTON have been reached from VLAN 20 | flows | (device:scranton or owner:scranton) vlan:20 |  | count by dst.port 10 | noted
sessions longer than 2 hrs to outside the us | flows | duration>2h dst.country:* -dst.country:US |  |  | noted
Who is the owner of the device at 10.0.1.20? | devices | device.ip:10.0.1.20 |  |  | noted
How many incidents per severity do we have at present? | incidents |  |  | count by severity 10 | noted
Severity 1 alerts from the guest network in the last 24 hours | declined
TLS traffic without a server name indication | flows | service:tls -server_name:*
alerts last hour high only | incidents | severity=high | 2026-11-25T09:30 2026-11-25T10:30 |  | noted
only high incidents | declined
traffic between 11/22 and 11/24 for NASHUA | flows | device:nashua or owner:nashua | 2026-11-21T23:00 2026-11-24T23:00 |  | noted
traffic on 11/12 | declined
Connections lasting longer than six hours | flows | duration>6h
Which devices have not been seen for more than a fortnight? | devices | last_seen<-14d
identify any device that has used telnet or ftp | devices | service:(telnet, ftp) |  |  | noted
what did SCRANTON send out last nite | flows | (device:scranton or owner:scranton) direction:outbound | 2026-11-24T19:00 2026-11-25T05:00 |  | noted
who triggered the malware alert | devices | title:malware |  |  | noted
tls 1.0 still in use anywhere? | flows | tls.version:1.0 |  |  | noted
Which internal hosts have established outbound SSH sessions to addresses outside Germany since Monday? | devices | direction:outbound service:ssh -dst.country:DE | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
Incidents relating to lateral movement that are not yet resolved | incidents | detector=lateral-movement status:(open, investigating) |  |  | noted
Incidents mapped to MITRE technique T1071 | incidents | technique:T1071 |  |  | noted
DNS lookups that returned NXDOMAIN, ranked by client | flows | dns.rcode=NXDOMAIN |  | count by src.ip 10 | noted
Remote desktop connections originating from outside the company | flows | service:rdp direction:inbound
SSH running on any port other than 22 | flows | service:ssh dst.port!=22 |  |  | noted
Devices of type printer or phone that carry the tag 'critical' | devices | device.type=(printer, phone) tag=critical |  |  | noted
ssh to anything not in 10.0.0.0/8 | flows | service:ssh -dst.ip:10.0.0.0/8 |  |  | noted
ssh to hosts outside of 10.0.0.0/8 | flows | service:ssh -dst.ip:10.0.0.0/8 |  |  | noted
ssh from anything outside 10.0.0.0/8 | flows | service:ssh -src.ip:10.0.0.0/8 |  |  | noted
traffic outside 10.0.0.0/8 | declined
`;
