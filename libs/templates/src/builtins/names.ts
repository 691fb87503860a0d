/** The filters of Jinja2 that templates may use; `docs/templates.md` states what is left out. */
export const FILTER_NAMES: ReadonlySet<string> = new Set(
  (
    'abs attr batch capitalize center count d default dictsort e escape filesizeformat first float forceescape format groupby ' +
    'indent int items join last length list lower map max min reject rejectattr replace reverse round safe select selectattr ' +
    'slice sort string striptags sum title tojson trim truncate unique upper urlencode wordcount wordwrap'
  ).split(' '),
);

/** The tests of Jinja2 that templates may use. */
export const TEST_NAMES: ReadonlySet<string> = new Set(
  (
    'boolean callable defined divisibleby eq equalto escaped even false filter float ge greaterthan gt in integer iterable le ' +
    'lessthan lower lt mapping ne none number odd sameas sequence string test true undefined upper'
  ).split(' '),
);
