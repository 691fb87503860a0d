export { DEFAULT_LIMITS, MAX_RANGE, type RenderLimits } from './limits.js';
export { MAX_SOURCE_LENGTH, parseTemplate, type Template } from './template.js';
export { TemplateCache } from './template-cache.js';
export { TEMPLATE_ERROR, TemplateError } from './template-error.js';
