import { singular } from "./vocabulary.ts";

/**
 * Words that a question needs for its sentence, not for what it asks: articles, politeness, copulas, auxiliaries, pronouns, prepositions and the plainest verbs between two ends. Anything that narrows,
 * negates, compares or dates is none of these.
 */
const HARMLESS: ReadonlySet<string> = new Set(
  `
  a an the any anyone anybody someone somebody everything anything something ones stuff
  please show list i i'd for let me like can could you would is are was were be been being has have had having do does did
  doing there we us our this that which what what's who's whose when
  happen happens happened happening exist ever see sees seen
  of where in on at to by from with about over via through into toward towards against under between came come comes coming trigger triggers fired fires fire already pls plz hey hi hello thanks kindly accept accepts initiate initiated try tried seeing provide yet make made makes making triggered generated generate caused produced attempt attempts , and
  watching streaming mention mentions mentioning mentioned
  go goes going went use uses used using talk talks talked talking contact contacts contacted contacting connect connects
  connected connecting communicate communicated communicating visit visits visited visiting access accesses accessed
  accessing involve involves involved involving reach reaches reached reaching opened
`.trim().split(/\s+/),
);

/** Words that ask for an answer, or for what was named. Later ones are something else: `what did tiktok.com get`. */
const ASKING: ReadonlySet<string> = new Set(
  "find give display get search tell look want need it they them their its".split(" "),
);

/** As `HARMLESS`, for words that are harmless only together. */
const HARMLESS_PHRASES: ReadonlySet<string> = new Set(
  ("show only,show me only,list only,only show,how about,from or to,to or from,from and to,to and from,what is up,up to,going on,went on,at all,all,all of,every,each," +
    "some,some of,isn't there,aren't there,wasn't there,weren't there," +
    "in the network,in network,on the network,in our network,on our network,in my network,any and all," +
    "good morning,thank you,pull up,bring up,let me know,list of,do you see,do you know,i would like to know,i'd like to know,i want to know,i need to know,who's been,domain ending in,domain ending with,name ending in,name ending with")
    .split(","),
);

/**
 * Whether a part of a question, given by its words in lower case, may be left out without changing what is asked.
 *
 * @param isFirst Whether nothing before it has a meaning.
 */
export function isHarmless(words: readonly string[], isFirst: boolean): boolean {
  return HARMLESS_PHRASES.has(words.map(singular).join(" ")) ||
    words.every((word) => HARMLESS.has(word) || isFirst && ASKING.has(word));
}

const COUNT = ["count"];
const DURATION = ["duration"];

/** Words that add nothing to an answer with one of these fields or measures. */
export const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  "how many": COUNT,
  "number of": COUNT,
  "count of": COUNT,
  count: COUNT,
  most: COUNT,
  "the most": COUNT,
  lasted: DURATION,
  lasting: DURATION,
  long: DURATION,
  ten: ["bytes", "src.bytes", "dst.bytes"],
  mitre: ["technique", "detector"],
  domain: ["server_name", "dns.query"],
  hit: ["intel", "alert", "alert.id"],
  call: ["service"],
  // What is open or assigned is so now.
  still: ["status", "assignee"],
};
