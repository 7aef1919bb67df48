// Questions of the lots of `FRAME_PHRASINGS` that are read with a note, those of the kinds that were mended, or declined.

/** As `ASKED_PHRASINGS`. */
export const LOOSE_PHRASINGS = `
show me the flow with the most bytes today | flows |  | 2026-11-24T23:00 2026-11-25T10:30 | bytes by device 10 | noted
smb sessions from workstations to servers today | flows | service:smb device.type=workstation device.type:server | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
uploads larger than 500 MB outside of germany | flows | src.bytes>500MB dst.country:* -dst.country:DE direction:outbound |  |  | noted
was 203.0.113.9 contacted before november 10 | flows | dst.ip:203.0.113.9 | 2026-10-09T23:00 2026-11-09T23:00 |  | noted
which vlan is 10.0.0.77 in | flows | ip:10.0.0.77 |  | bytes by vlan 10 | noted
what servers does 10.0.0.5 use | flows | device.type:server src.ip:10.0.0.5 |  |  | noted
who besides maria contacted 203.0.113.9 | devices | not (device:maria or owner:maria) dst.ip:203.0.113.9 |  |  | noted
top 20 source ports of 10.0.0.5 | flows | src.ip:10.0.0.5 |  | count by src.port 20 | noted
asn with the most traffic | flows |  |  | bytes by dst.asn 10 | noted
nxdomain responses to 10.0.0.5 | flows | dns.rcode=NXDOMAIN src.ip:10.0.0.5 |  |  | noted
i need all connection between SCRANTON and 203.0.113.9 | flows | (device:scranton or owner:scranton) ip:203.0.113.9 |  |  | noted
connections since 2 hours | flows |  | 2026-11-25T08:30 2026-11-25T10:30 |  | noted
alert categories this week | flows | alert.category:* | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
smb traffic to 10.0.0.9 from outside of the servers vlan | flows | service:smb dst.ip:10.0.0.9 -vlan:Servers |  |  | noted
data leaving vlan 30 for the internet | flows | vlan:30 direction:outbound |  |  | noted
10.0.0.0/16 to 10.1.0.0/16 without smb | flows | src.ip:10.0.0.0/16 dst.ip:10.1.0.0/16 -service:smb |  |  | noted
top clients of 10.0.0.9 | flows | dst.ip:10.0.0.9 |  | bytes by src.ip 10 | noted
issuer let's encrypt to russia | flows | certificate.issuer:"let's encrypt" dst.country:RU |  |  | noted
flows between vlan 20 and the internet | flows | vlan:20 direction:(inbound, outbound) |  |  | noted
root logins over ssh from vlan 30 | flows | user:root service:ssh vlan:30 logon:* |  |  | noted
top users of dropbox.com | flows | server_name:(dropbox.com, *.dropbox.com) |  | count by user 10 | noted
traffic yesterday between 22:00 and 06:00 | flows |  | 2026-11-24T21:00 2026-11-25T05:00 |  | noted
all traffic between maria's laptop and russia | flows | (device:maria or owner:maria) device.type=workstation country:RU |  |  | noted
services on 10.0.0.9 | flows | dst.ip:10.0.0.9 |  | bytes by service 10 | noted
incidents from vlan 20 to vlan 30 | incidents | device.vlan:20 device.vlan:30 |  |  | noted
who else talks to 10.0.5.2 | devices | dst.ip:10.0.5.2 -device.ip:10.0.5.2 |  |  | noted
dns failed today | flows | service:dns dns.rcode=NXDOMAIN | 2026-11-24T23:00 2026-11-25T10:30 |  | noted
src 10.0.0.5 | flows | src.ip:10.0.0.5 |  |  | noted
tickets with status open or investigating | incidents | status:(open, investigating) |  |  | noted
ids alerts with severity critical | flows | alert:* severity=critical |  |  | noted
all alerts raised by suricata yesterday | incidents | first_seen:2026-11-23T23:00:00Z..2026-11-24T23:00:00Z source:suricata |  |  | noted
devices that connected to russia but not china | devices | dst.country:RU -country:CN |  |  | noted
web servers on ports other than 80 and 443 | devices | device.type=web_server dst.port!=(80, 443) |  |  | noted
traffic between printers and servers | flows | device.type=printer device.type:server |  |  | noted
traffic between russia and vlan 20 | flows | country:RU vlan:20 |  |  | noted
are there beacons without an owner | incidents | detector:(beacon, beacon-name) -owner:* |  |  | noted
investigating since monday | incidents | status:investigating | 2026-11-22T23:00 2026-11-25T10:30 |  | noted
http uploads | flows | service:http direction:outbound |  |  | noted
flows from 10.0.0.5 via 10.0.0.1 | flows | src.ip:10.0.0.5 ip:10.0.0.1 |  |  | noted
devices from russia | devices | src.country:RU |  |  | noted
devices on the internet | devices | direction:outbound |  |  | noted
modbus between 10.0.5.2 and vlan 20 | flows | service:modbus ip:10.0.5.2 vlan:20 |  |  | noted
failed logins over 24 hours | flows | logon:failed duration>1d |  |  | noted
number of alerts per device this week | incidents |  | 2026-11-22T23:00 2026-11-25T10:30 | count by device 10 | noted
Show alerts with category trojan by device | incidents | alert.category:trojan |  | count by device 10 | noted
How many critical incidents are open right now? | incidents | severity=critical status:open |  | count by  1 | noted
Show requests for wp-login.php | flows | http.path:wp-login.php |  |  | noted
which ips scanned 10.0.0.0/24 yesterday | flows | detector=scan dst.ip:10.0.0.0/24 | 2026-11-23T23:00 2026-11-24T23:00 | bytes by src.ip 10 | noted
countries with the most inbound connections | flows | direction:inbound |  | count by src.country 10 | noted
incidents handled by bob and ada | declined
critical incidents nobody took yet | incidents | severity=critical -assignee:*
list of devices by risk | declined
all contacts of 10.0.0.5 with persons outside the company in november | declined
open tickets older than a week, worst first | declined
traffic to tor ports 9001 and 9030 | declined
which device uses the most internet | flows | direction:outbound |  | count by src.ip 10 | noted
incidents with gravity high | declined
how many windows machines | declined
who is downloading much | declined
social media in the training room | declined
which days had the most traffic | declined
did someone visit roblox.com during the second week of november | declined
successful brute force against ssh | flows | detector=brute-force service:ssh logon:succeeded |  |  | noted
dropbox traffic of the sales department | declined
requests for /login from outside | declined
first connection to 10.0.5.2 | declined
since when is SCRANTON in network | declined
critical or unassigned tickets | declined
traffic during the last shift | declined
are there devices that use both ftp and telnet | declined
backups to the internet | declined
how much traffic came from russia | flows | src.country:RU |  | bytes by  1 | noted
tickets bob has not closed | declined
show devices where risk is above 50 | devices | device.score>50 |  |  | noted
traffic matrix | declined
does the database server accept connections from vlan 20 | flows | device.type=database_server vlan:20 |  |  | noted
no incidents on vlan 20 | declined
open ssh sessions | declined
incidents linked to evil.example | declined
how many incidents does each device have | declined
flows to russia sorted by bytes | flows | dst.country:RU |  |  | noted
devices behind 10.0.0.1 | declined
which hour had the most traffic yesterday | declined
where did 10.0.0.5 upload to | flows | src.ip:10.0.0.5 direction:outbound |  | src.bytes by dst.ip 10 | noted
ssh on 2222 | flows | service:ssh dst.port:2222 |  |  | noted
What is the risk score of NASHUA? | devices | device:nashua or owner:nashua |  |  | noted
Show evidence of data transfers to the United States over 100 MB | flows | dst.country:US bytes>100MB |  |  | noted
asn of 203.0.113.9 | declined
close ticket 12 | declined
Are we seeing scans from AS64500? | incidents | detector=scan src.asn:AS64500 |  |  | noted
Transfers to AS13335 by month | declined
Access by former employees | declined
Laptops that visited chatgpt.com during the exam on Monday 8 to 10 | declined
`;
