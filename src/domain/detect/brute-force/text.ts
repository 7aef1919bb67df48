// Texts of password guessing results.
import type { DetectorResult } from "../kernel/result.ts";
import type { Track } from "../kernel/tracks.ts";
import { duration, shortened, within } from "../../../kit/text.ts";
import type { BruteContext } from "./pattern.ts";
import { titleLine, type TitlePart, titlePart } from "../../../kit/title-line.ts";

const SECOND = 1_000_000;
const MAX_USER = 64;

export function describeBruteForce(
  track: Track,
  context: BruteContext,
  number: number,
): Pick<DetectorResult, "subject" | "title" | "phrase" | "summary" | "explanation"> {
  const { sourceName, logon } = context;
  const { subject, title, phrase, counted, meaning, next, canSucceed } = texts(context, number);
  const succeeded = logon.outcome === "succeeded" && canSucceed;
  const user = logon.user === null ? "" : ` The latest account was "${shortened(logon.user, MAX_USER)}".`;
  return {
    subject: `${sourceName}: ${subject}`,
    title: titleLine`${sourceName} ${title}${succeeded ? ", and got in" : ""}`,
    phrase: `${phrase}${succeeded ? " and getting in" : ""}`,
    summary: `${counted}, ${within(track.first, track.last)} ` +
      `(${duration((track.last - track.first) / SECOND)}).${user}` +
      `${succeeded ? ` After that, a ${logon.service} logon succeeded.` : ""}`,
    explanation: `${meaning} ${next}`,
  };
}

interface Texts {
  subject: string;
  title: TitlePart;
  phrase: string;
  /** What was counted, in the summary. */
  counted: string;
  meaning: string;
  next: string;
  /** Whether a successful logon can follow. */
  canSucceed: boolean;
}

function texts({ pattern, sourceName, serverName, logon }: BruteContext, number: number): Texts {
  const { service } = logon;
  switch (pattern) {
    case "accounts":
      return {
        subject: `${service} accounts`,
        title: titlePart`tries passwords for many accounts over ${service}`,
        phrase: `trying passwords for many accounts over ${service}`,
        counted:
          `${service} logons of ${sourceName} failed for about ${number} different accounts, most recently on ` +
          serverName,
        meaning:
          "Intruders try a few passwords for many accounts to stay below the limit that locks an account. A " +
          "terminal server or proxy whose users share an address also logs on with many accounts.",
        next:
          `Check which accounts failed and whether one of them logged on successfully from ${sourceName}.`,
        canSucceed: true,
      };
    case "servers":
      return {
        subject: `${service} servers`,
        title: titlePart`fails to log on to many servers over ${service}`,
        phrase: `failing to log on to many servers over ${service}`,
        counted:
          `${service} logons of ${sourceName} failed on about ${number} different servers, most recently on ` +
          serverName,
        meaning:
          "Worms and intruders try the same accounts on every server. An inventory or backup tool whose password " +
          "was changed does the same.",
        next: `Check which program on ${sourceName} logs on, and on which servers it may have succeeded.`,
        canSucceed: true,
      };
    case "strangers":
      return {
        subject: "SSH servers outside",
        title: titlePart`opens SSH sessions to many servers outside`,
        phrase: "opening SSH sessions to many servers outside",
        counted:
          `${sourceName} opened SSH sessions to about ${number} different servers outside, most recently to ` +
          serverName,
        meaning:
          "Few people have accounts on so many foreign servers; bots that guess SSH passwords connect to every " +
          "server they find. A deployment script for many rented servers looks the same. The sensor could not tell " +
          "whether any logon succeeded.",
        next: `Check which program on ${sourceName} opens the sessions.`,
        canSucceed: false,
      };
    case "tickets":
      return {
        subject: "weakly encrypted Kerberos tickets",
        title: titlePart`collects weakly encrypted Kerberos tickets`,
        phrase: "collecting weakly encrypted Kerberos tickets",
        counted:
          `${sourceName} requested about ${number} different weakly encrypted tickets from ${serverName}`,
        meaning:
          "The password of an account can be guessed offline, unnoticed, from a weakly encrypted ticket " +
          "(Kerberoasting). In an old domain where all tickets are weakly encrypted this means little.",
        next:
          `Check which accounts the tickets belong to, give them long passwords and AES, and check what ran on ` +
          `${sourceName}.`,
        canSucceed: false,
      };
    case "blind":
      return {
        subject: `${service} on ${serverName}`,
        title: titlePart`opens many short ${service} sessions to ${serverName}`,
        phrase: `opening many short ${service} sessions to ${serverName}`,
        counted:
          `${sourceName} opened about ${number} short ${service} sessions to ${serverName}, each of the size of ` +
          "a failed logon",
        meaning:
          "Password guessing looks like this, and so does a script that logs on successfully (polling a " +
          "repository, a backup). Flows alone cannot tell the two apart.",
        next: `Check the log of ${serverName} for failed logons from ${sourceName}.`,
        canSucceed: false,
      };
    case "guessing":
    case "kerberos":
    case "fromOutside":
      return {
        subject: `${service} on ${serverName}`,
        title: titlePart`guesses passwords on ${serverName} over ${service}`,
        phrase: `guessing passwords on ${serverName} over ${service}`,
        counted: `About ${number} ${service} logons of ${sourceName} on ${serverName} failed`,
        meaning: pattern === "fromOutside"
          ? "Services that are reachable from the Internet are tried all day. What matters is whether a logon succeeds."
          : "People do not mistype this often: a program guesses passwords, or keeps using one that was changed.",
        next: pattern === "fromOutside"
          ? `Check whether ${serverName} must be reachable, and whether it needs to accept passwords.`
          : `Check which account is tried and which program on ${sourceName} does it.`,
        canSucceed: true,
      };
  }
}
