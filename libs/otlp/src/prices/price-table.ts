/** What a model costs: US dollars per million tokens of text, at the standard rate. */
export interface Price {
  /** Names of models in lower case; one that ends in `*` stands for every name that begins so. */
  readonly models: readonly string[];
  /** Providers, in the spelling of the GenAI conventions, whose price this is; absent: any. */
  readonly providers?: readonly string[] | undefined;
  readonly input: number;
  readonly output: number;
  /** Input tokens read from a cache; absent: as other input. */
  readonly cachedInput?: number | undefined;
  /** Input tokens written to a cache; absent: as other input. */
  readonly cacheWrite?: number | undefined;
  /** The price holds for calls of at most this many input tokens; longer ones cost more. */
  readonly maxInputTokens?: number | undefined;
}

/** Ends of names that do not change the price: dates, versions of a host, `-latest`. */
const SUFFIX = /(?:[-@]20\d{2}-?\d{2}-?\d{2}|-v\d+(?::\d+)*|-latest)$/;
const MAX_SUFFIXES = 3;
/** Models whose look-up is remembered, providers of each, and the longest of their names. */
const MAX_REMEMBERED = 1000;
const MAX_PROVIDERS = 16;
const MAX_REMEMBERED_LENGTH = 128;

/** Prices by the names of models. */
export class PriceTable {
  private readonly exact = new Map<string, Price[]>();
  private readonly beginnings: [beginning: string, price: Price][] = [];
  private readonly found = new Map<string, Map<string | undefined, Price | undefined>>();

  /** @param asOf the day on which the prices held, as YYYY-MM-DD */
  constructor(
    readonly asOf: string,
    prices: readonly Price[],
  ) {
    for (const price of prices) for (const model of price.models) this.add(model, price);
    this.beginnings.sort(([a], [b]) => b.length - a.length);
  }

  /** The price of a model, with or without the date of its version or the prefix of its host; undefined when nobody knows it. */
  find(model: string, provider: string | undefined): Price | undefined {
    const known = this.found.get(model);
    if (known?.has(provider)) return known.get(provider);
    const price = this.search(model, provider);
    this.remember(model, provider, price);
    return price;
  }

  /** The same few models come on span after span; the memory is bounded by starting over. */
  private remember(model: string, provider: string | undefined, price: Price | undefined): void {
    if (model.length + (provider?.length ?? 0) > MAX_REMEMBERED_LENGTH) return;
    const known = this.found.get(model) ?? new Map<string | undefined, Price | undefined>();
    if (known.size >= MAX_PROVIDERS) known.clear();
    if (this.found.size >= MAX_REMEMBERED) this.found.clear();
    this.found.set(model, known.set(provider, price));
  }

  private search(model: string, provider: string | undefined): Price | undefined {
    for (const name of namesOf(model)) {
      const exact = this.exact.get(name)?.find((price) => isOf(price, provider));
      const found =
        exact ??
        this.beginnings.find(
          ([beginning, price]) => name.startsWith(beginning) && isOf(price, provider),
        )?.[1];
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private add(model: string, price: Price): void {
    if (model.endsWith('*')) this.beginnings.push([model.slice(0, -1), price]);
    else this.exact.set(model, [...(this.exact.get(model) ?? []), price]);
  }
}

function isOf({ providers }: Price, provider: string | undefined): boolean {
  return providers === undefined || provider === undefined || providers.includes(provider);
}

/** The name of a model without the path and the region of its host, then ever shorter without suffixes. */
function namesOf(model: string): string[] {
  const path = model.trim().toLowerCase();
  const last = path.slice(path.lastIndexOf('/') + 1);
  const names = [last.replace(/^(?:[a-z]{2,6}\.)?(?:amazon|anthropic|cohere|mistral)\./, '')];
  for (let i = 0; i < MAX_SUFFIXES; i++) {
    const shorter = (names.at(-1) as string).replace(SUFFIX, '');
    if (shorter === names.at(-1)) break;
    names.push(shorter);
  }
  return names;
}
