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
whats assigned to me | incidents | assignee:me |  |  | noted
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
`;
