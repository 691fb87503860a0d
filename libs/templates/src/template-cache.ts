import { LRUCache } from 'lru-cache';
import { parseTemplate, type Template } from './template.js';

/** LRU cache of parsed templates, bounded by the length of their sources. Sources that cannot be parsed are not stored. */
export class TemplateCache {
  private readonly templates: LRUCache<string, Template>;

  /** @param maxSourceLength sum of the lengths of the sources, in UTF-16 units */
  constructor(maxSourceLength = 4_194_304) {
    this.templates = new LRUCache({
      max: 10_000,
      maxSize: maxSourceLength,
      sizeCalculation: (_template, source) => source.length + 1,
    });
  }

  /** @throws TemplateError when the source cannot be parsed */
  get(source: string): Template {
    const known = this.templates.get(source);
    if (known) return known;
    const template = parseTemplate(source);
    this.templates.set(source, template);
    return template;
  }
}
