/**
 * Returns the address of the same place in the console of the data plane: the path, which has ids, without what a person chose.
 * @param base address of that console, with or without the path `/console`
 * @param path of the page of this console, beginning with `/console/`
 */
export function dataPlaneLink(base: string, path: string): string {
  return `${base.replace(/\/+$/, '').replace(/\/console$/, '')}${path}`;
}
