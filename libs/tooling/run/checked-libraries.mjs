// The libraries that the tests of instrumentations run, with their versions and the day on which those were checked, both from the files that
// pin them.
import { readFileSync } from 'node:fs';
import { root } from './install.mjs';

const FOLDER = `${root}/test/instrumentations`;

/** How a version is found in the text of a file of pins, by the end of its name, and the language. */
const PINS = [
  ['.txt', 'Python', (name) => new RegExp(`^${name}==(\\S+)$`, 'm')],
  ['package.json', 'Node', (name) => new RegExp(`^ *"${name}": "(?:npm:.*@)?([^"@]+)"`, 'm')],
  ['go.mod', 'Go', (name) => new RegExp(`^\\s*(?:require )?${name} v(\\S+)`, 'm')],
  ['pom.xml', 'Java', (name) => new RegExp(`<artifactId>${name}</artifactId>\\s*<version>([^<]+)<`)],
];

export function checkedLibraries() {
  const libraries = JSON.parse(readFileSync(`${FOLDER}/libraries.json`, 'utf8'));
  return libraries.map((library) => {
    const {
      package: name,
      title = name,
      pins,
      conventions,
      with: traced,
      withTitle = traced,
      recorded,
    } = library;
    if (recorded !== undefined) return { name: title, ...recorded, conventions };
    const text = readFileSync(`${FOLDER}/${pins}`, 'utf8');
    const [, language, pattern] = PINS.find(([end]) => pins.endsWith(end));
    const found = (wanted, inText) => {
      const [, value] = inText.exec(text) ?? [];
      if (value === undefined) throw new Error(`${pins} names no ${wanted}`);
      return value;
    };
    const version = (of) => found(of, pattern(of.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
    const checked = found('day on which it was checked', /\bchecked"?: "?(\d{4}-\d{2}-\d{2})/);
    const with_ = traced === undefined ? undefined : `${withTitle} ${version(traced)}`;
    return { name: title, version: version(name), language, conventions, checked, with: with_ };
  });
}
