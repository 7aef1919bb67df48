// The sentences of password guessing.
import type { BruteContext } from "./score.ts";
import type { DetectorResult } from "../kernel/result.ts";
import type { Track } from "../kernel/tracks.ts";
import { duration, shortened, within } from "../kernel/wording.ts";

type Texts = Pick<DetectorResult, "subject" | "title" | "phrase" | "summary" | "explanation">;

const SECOND = 1_000_000;

export function describeBruteForce(track: Track, context: BruteContext, number: number): Texts {
  const { sourceName, logon } = context;
  const what = matter(context, number);
  const worked = logon.outcome === "succeeded" && what.canWork;
  const user = logon.user === null ? "" : ` The last account was "${shortened(logon.user, 64)}".`;
  return {
    subject: `${sourceName}: ${what.subject}`,
    title: `${sourceName} ${what.title}${worked ? ", and got in" : ""}`,
    phrase: `${what.phrase}${worked ? " and getting in" : ""}`,
    summary: `${what.counted}, ${within(track.first, track.last)} ` +
      `(${duration((track.last - track.first) / SECOND)}).${user}` +
      `${worked ? ` After that a log-on by ${logon.service} worked.` : ""}`,
    explanation: `${what.meaning} ${what.next}`,
  };
}

interface Matter {
  subject: string;
  title: string;
  phrase: string;
  counted: string;
  meaning: string;
  next: string;
  canWork: boolean;
}

function matter({ story, sourceName, serverName, logon }: BruteContext, number: number): Matter {
  const { service } = logon;
  switch (story) {
    case "accounts":
      return {
        subject: `${service} accounts`,
        title: `tries passwords for many accounts by ${service}`,
        phrase: `trying passwords for many accounts by ${service}`,
        counted:
          `Log-ons of ${sourceName} by ${service} failed for about ${number} different accounts, lately on ` +
          serverName,
        meaning:
          "A few passwords for many accounts stay below the limit that locks an account: that is how intruders " +
          "guess. A terminal server or a proxy, whose users share an address, has many accounts, too.",
        next: `Check which accounts failed and whether one of them worked from ${sourceName}.`,
        canWork: true,
      };
    case "servers":
      return {
        subject: `${service} servers`,
        title: `fails to log on to many servers by ${service}`,
        phrase: `failing to log on to many servers by ${service}`,
        counted:
          `Log-ons of ${sourceName} by ${service} failed on about ${number} different servers, lately on ` +
          serverName,
        meaning:
          "Worms and intruders try the same accounts everywhere. An inventory or a backup whose password was " +
          "changed does so as well.",
        next: `Check which program on ${sourceName} does it, and where it may have worked.`,
        canWork: true,
      };
    case "strangers":
      return {
        subject: "SSH servers outside",
        title: "opens SSH to many servers outside",
        phrase: "opening SSH to many servers outside",
        counted:
          `${sourceName} opened SSH sessions with about ${number} different servers outside, lately with ` +
          serverName,
        meaning:
          "Hardly anybody has accounts on so many strangers' servers; bots that guess SSH passwords connect to all " +
          "they find. The sensor could not tell whether a log-on worked.",
        next: `Check which program on ${sourceName} opens the sessions.`,
        canWork: false,
      };
    case "tickets":
      return {
        subject: "Kerberos tickets under weak encryption",
        title: "collects Kerberos tickets under weak encryption",
        phrase: "collecting Kerberos tickets under weak encryption",
        counted:
          `${sourceName} asked ${serverName} for about ${number} different tickets under weak encryption`,
        meaning:
          "From a ticket under weak encryption the password of its account can be guessed without anybody " +
          "noticing (kerberoasting). In an old domain, in which all tickets are so, it means little.",
        next:
          `Check which accounts the tickets are for, give these long passwords and AES, and see what ran on ${sourceName}.`,
        canWork: false,
      };
    case "blind":
      return {
        subject: `${service} on ${serverName}`,
        title: `opens one short ${service} session after the other to ${serverName}`,
        phrase: `opening one short ${service} session after the other to ${serverName}`,
        counted:
          `${sourceName} opened about ${number} short ${service} sessions to ${serverName}, each of the size of ` +
          "a failed log-on",
        meaning:
          "Guessing passwords looks like this, and so does a script that works (a poll of a repository, a backup): " +
          "flows alone do not tell which.",
        next: `Look at the log of ${serverName} for failed log-ons of ${sourceName}.`,
        canWork: false,
      };
    case "guessing":
    case "kerberos":
    case "fromOutside":
      return {
        subject: `${service} on ${serverName}`,
        title: `guesses passwords of ${serverName} by ${service}`,
        phrase: `guessing passwords of ${serverName} by ${service}`,
        counted: `About ${number} log-ons of ${sourceName} on ${serverName} by ${service} failed`,
        meaning: story === "fromOutside"
          ? "Whatever can be reached from the Internet is tried all day; what counts is whether a log-on works."
          : "Nobody mistypes that often: a program guesses, or one goes on with a password that was changed.",
        next: story === "fromOutside"
          ? `Check whether ${serverName} must be reachable, and whether it takes passwords at all.`
          : `Check which account is tried and what runs on ${sourceName}.`,
        canWork: true,
      };
  }
}
