/** Whether text is a complete IPv4 or IPv6 address; what the API takes, it may still write differently. */
export function isAddress(text: string): boolean {
  if (text.includes(":")) return /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`);
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}
