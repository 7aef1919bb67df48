/** Words as people write them in a hurry, with what they stand for; a plural is written here if it is one. */
const SHORTHAND: ReadonlyMap<string, string> = new Map(
  `
  inc incident, incs incidents, crit critical, crits criticals, sev severity, sevs severities, med medium, sig signature,
  sigs signatures, cam camera, cams cameras, dev device, devs devices, conn connection, conns connections, sess sessions,
  hrs hours, mins minutes, secs seconds, wk week, wks weeks, yr year,
  w/ with, w/o without, thx thanks, thanx thanks, tnx thanks, ty thanks, pls please, plz please, plse please, u you, ur your,
  smth something, sth something, smthg something, tonite tonight, yday yesterday, ystd yesterday, btwn between,
  btw between, dl download, dls downloads, dled downloaded, ul upload, uls uploads, addr address, addrs addresses,
  svr server, svrs servers, srv server, srvs servers, srvr server, srvrs servers, req request, reqs requests,
  resp response, resps responses, acct account, accts accounts, svc service, svcs services, pkt packet, pkts packets,
  prev previous, cert certificate, certs certificates, fp false_positive, fps false_positives, dest destination,
  dests destinations, bw bandwidth, whats what, whos who, dont don't, doesnt doesn't, didnt didn't,
  havent haven't, hasnt hasn't, isnt isn't, arent aren't, wasnt wasn't, werent weren't,
  ext external, int internal, creds credentials, eachother each_other, auths authentications, auth authentication,
  exp expired, ua user_agent, uas user_agents, w with, hist history, onto on_to, nite night, teh the, abt about, frm from, thru through, r are, lookin looking, talkin talking
`.trim().split(",").map((pair) => pair.trim().split(/\s+/) as [string, string]),
);

/** The words that a short form stands for, each in lower case; null for other words. */
export function longForm(word: string): readonly string[] | null {
  const words = SHORTHAND.get(word);
  return words === undefined ? null : words.split("_");
}
