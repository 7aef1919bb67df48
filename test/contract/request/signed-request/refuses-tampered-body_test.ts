import { refuses, signed } from "./support.ts";

const withBody = async (text: string) => {
  const arrived = await signed();
  return { ...arrived, request: { ...arrived.request, body: new TextEncoder().encode(text) } };
};

refuses("another body", () => withBody('{"status":"false_positive"}'));
refuses("a body with other white space", () => withBody('{"status": "investigating"}'));
refuses("a truncated body", () => withBody('{"status":"investigating"'));
refuses("no body", () => withBody(""));
