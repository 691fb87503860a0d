/** Ids of the events of a tree, from one base64 text of 16 bytes each. */
export function readEventIds(base64: string): string[] {
  const bytes = atob(base64);
  return Array.from({ length: Math.floor(bytes.length / 16) }, (_, event) => idAt(bytes, event * 16));
}

function idAt(bytes: string, from: number): string {
  let hex = '';
  for (let at = from; at < from + 16; at++) hex += bytes.charCodeAt(at).toString(16).padStart(2, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
