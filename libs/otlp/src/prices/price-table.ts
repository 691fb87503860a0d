import { modelNameForms } from '@assay/domain';

/** Price of a model: US dollars per million text tokens at the standard rate. */
export interface Price {
  /** Model names in lower case; a trailing `*` matches every name with the prefix. */
  readonly models: readonly string[];
  /** Providers with this price, as named in the GenAI conventions; absent: any. */
  readonly providers?: readonly string[] | undefined;
  readonly input: number;
  readonly output: number;
  /** Price of cached input tokens; absent: as other input. */
  readonly cachedInput?: number | undefined;
  /** Price of input tokens written to a cache; absent: as other input. */
  readonly cacheWrite?: number | undefined;
  /** Maximum number of input tokens for which the price applies. */
  readonly maxInputTokens?: number | undefined;
}

/** Providers that route calls to those of the models, at their prices. */
const GATEWAYS: ReadonlySet<string> = new Set([
  'ai-gateway',
  'cloudflare',
  'helicone',
  'litellm',
  'openrouter',
  'portkey',
  'requesty',
  'vercel',
]);
/** Capacity of the look-up cache, providers per model, and maximum length of a cached name. */
const MAX_REMEMBERED = 1000;
const MAX_PROVIDERS = 16;
const MAX_REMEMBERED_LENGTH = 128;

/** Prices by model name. */
export class PriceTable {
  private readonly exact = new Map<string, Price[]>();
  private readonly beginnings: [beginning: string, price: Price][] = [];
  private readonly found = new Map<string, Map<string | undefined, Price | undefined>>();

  /** @param asOf effective date of the prices, as YYYY-MM-DD */
  constructor(
    readonly asOf: string,
    prices: readonly Price[],
  ) {
    for (const price of prices) for (const model of price.models) this.add(model, price);
    this.beginnings.sort(([a], [b]) => b.length - a.length);
  }

  /** Price of a model, with or without version date and host prefix; undefined when unknown. */
  find(model: string, provider: string | undefined): Price | undefined {
    const known = this.found.get(model);
    if (known?.has(provider)) return known.get(provider);
    const price = this.search(model, provider);
    this.remember(model, provider, price);
    return price;
  }

  /** Look-up cache, because models repeat on every span; cleared when full. */
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
  if (providers === undefined || provider === undefined) return true;
  return providers.includes(provider) || GATEWAYS.has(provider.trim().toLowerCase());
}

/** The forms of a name, as `modelNameForms` returns them. Gateways write the versions of Claude with dots. */
function namesOf(model: string): string[] {
  return modelNameForms(model).flatMap((name) =>
    name.startsWith('claude-') ? name.replaceAll(/(?<=\d)\.(?=\d)/g, '-') : name,
  );
}
