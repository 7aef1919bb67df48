import type { Effect } from "../effect.ts";
import { phrases } from "./phrase.ts";

const FILL: Effect = { fill: true };

/** What makes a sentence: words without a meaning of their own, prepositions, verbs, negations, and what is refused. */
export const SENTENCE: readonly [string, Effect][] = [
  ...phrases(
    FILL,
    `
      a, an, the, of, is, are, was, were, be, been, being, there, did, do, does, done, has, have,
      had, having, we, us, our, please, show, list, find, give, display, get, search, see, tell, want, to,
      can, could, you, would, like, any, which, what, whose, that, this, it, they, them, their, its, with,
      seen, look, looking, observed, recorded, detected, found, exist, came, come, comes, accept, accepts, initiate, initiated, remain, remained, provide, try, tried, seeing, able, raise, evidence of, proof that, proof of, started, attempt, else, yet, make, made, makes, making, triggered, generated, generate, cause, causes, caused, produced, coming, trigger, triggers, fired, fires, fire, already, pls, plz, hey, hi, hello, good morning, thanks, thank you, kindly, pull up, bring up, let me know, list of, a list of, do you see, do you know, i would like to know, i'd like to know, i want to know, i need to know, working on, works on, worked on, any and all, in the network, in network, on the network, in our network, on our network, in my network,
      existed, present, presented, matching, lasted, lasting, when was, when were, when did, when has, when is, going, on, up, out, about, what's, show me, give me,
      tell me, show to me, show to us, find me, get me, for me, search for, look for, let me see, i want, i want to see, i need,
      i need to see, i would like to see, i'd like to see, can i see, could i see, do i have, show only,
      show me only, list only, only show, do we have, are there, is there, were there, was there, isn't there, aren't there, wasn't there, weren't there,
      how about, went on, going on, still, mitre, att&ck, at all, directly, ones, stuff, domain ending in, domain ending with, name ending in, name ending with, a name which ends with, a name that ends with, a name ending with, a name ending in, a name which ends in, names which end with, names that end with, which ends with, that ends with, which end with, that end with, which ends in, that ends in, ends with, end with, ending with, what is up, up to, list me, list us, at least one, one or more, in use, still in use, anywhere, in use anywhere, still in use anywhere, identify, established, that returned, which returned, running`,
  ),
  ...phrases({ activity: true }, "doing, everything, anything, something, happened, happening, happen"),
  ...phrases({ note: "No time is named: the usual one applies." }, "recent, latest, most recent"),
  ...phrases({ note: "Those with the newest activity stand first." }, "newest, the newest"),
  ...phrases(
    { note: "Those with the newest activity stand first: sort the list by its time for the oldest." },
    "oldest, the oldest, earliest, the earliest",
  ),
  ...phrases(
    { note: "The newest stand first." },
    "newest first, most recent first, latest first, newest on top, latest on top, newest at the top",
  ),
  ...phrases(
    { note: "The newest stand first.", always: true },
    "last time, the last time, when was the last time",
  ),
  ...phrases(
    { note: "Updated: by the time of the last activity." },
    "updated, last updated, recently updated",
  ),
  ...phrases(
    { role: "dst" },
    "destination, destination address, destination ip, dst, dst ip, destined for, destined to, going to, going out to, terminating at, to, into, towards, toward, against, at",
  ),
  ...phrases(
    { role: "src" },
    "source, source address, source ip, src, src ip, from, by, off, off of, leaving, coming from, coming in from, originating from, originating in",
  ),
  ...phrases(
    { role: "either" },
    "of, in, for, mention, mentions, mentioning, mentioned, relating to, related to, regarding, mapped to, to and from, from and to, to or from, from or to, involving, involve, involves, involved, via, over, using, through, on, concerning, about, around, going on with, happening with, wrong with, happened to, happening to, happens to, touching, affecting, affect, affected, affects, that affect, under, between",
  ),

  ...phrases(
    { verb: "dst" },
    `
      talked, talking, talk, talks, speak, speaks, spoke, speaking, communicated, communicating, communicate, connected,
      connecting, connect, connects, contacted, contacting, contact, contacts, reached, reaching, reach,
      reaches, visited, visiting, visit, visits, accessed, accessing, access, called, calling, call,
      calls, went, goes, go, hit, hitting, opened, used, using, use, watching, streaming, hammering, hammered,
      uses, talked to, talk to, talking to, talks to, spoke to,
      connected to, connect to, connecting to, went to, reached out to, communicated with, communicate
      with, communicating with, sent traffic to`,
  ),
  ...phrases(
    { verb: "either" },
    `
      touched, talked with, speak with, speaks with, talk with, talking with, spoke with, exchanged data with, exchanged traffic with, listen on,
      listens on, listening on, listened on, answer on, answers on, answering on`,
  ),
  ...phrases(
    { verb: "src" },
    `
      heard from, contacted by, reached by, visited by, accessed by, called by, connected from, reachable from, accessible from, offer, offers, expose, exposes`,
  ),
  ...phrases(
    { verb: "dst", topic: "upload" },
    `
      uploaded, uploading, upload to, uploaded to, sent, sending, send, sent data to, sending data to,
      send data to`,
  ),
  ...phrases(
    { verb: "dst", topic: "download" },
    "downloaded, downloading, download from, downloaded from, fetched, receive, receives, received, received from, pulled",
  ),
  ...phrases(
    { verb: "dst", topic: "lookup" },
    `
      looked up, look up, looking up, resolved, resolving, resolve, resolves, queried, querying, asked for, asking for, ask for, asks for, ask dns for, asked dns for, asks dns for, ask the dns for,
      requested the name, name resolved, domain resolved, name looked up, name queried`,
  ),
  ...phrases({ kind: "devices", role: "dst" }, "client of, clients of"),
  ...phrases(
    { negate: true },
    `
      not, no, without, except, excluding, but not, other than, except for, didn't, don't,
      doesn't, haven't, hasn't, isn't, aren't, non-, besides, country other than, country except, other country than, other countries than, apart from, aside from, anything but, everything but, anywhere but, but no, but without`,
  ),
  ...phrases({ negate: true, always: true }, "never"),
  ...phrases(
    { always: true },
    "ever, at any time, at any point, at any point in time, any time, anytime, at some point, of all time, of all times, all time, in history, in all history, in the whole history, in recorded history, since the beginning, since ever",
  ),
  // Who works on an incident is no device.
  ...phrases(
    { refuse: true },
    ["who", "who is", "who has", "who was", "who had"].flatMap((who) =>
      [
        "investigating",
        "investigated",
        "works on",
        "worked on",
        "working on",
        "handles",
        "handled",
        "closed",
        "closes",
        "solved",
        "fixed",
        "assigned",
        "opened the incident",
        "issues",
        "issued",
      ].map((verb) => `${who} ${verb}`)
    ).join(","),
  ),
  ...phrases(
    { refuse: true },
    "resolved the most, closed the most, handled the most, solved the most, is the server, is the client, is the attacker, is the victim, somebody else, someone else, anybody else, anyone else, by last seen, by first seen, by size, by age, by date, send us, sent us, sending us, email me, mail me, send me, call me, notify me, alert me, e-mail me, in the name, in its name, in their name",
  ),
];
