export { TEMPLATE_ERROR, TemplateError } from './template-error.js';
export type { TemplateRenderer } from './template-renderer.js';
export { createTemplateWorkers, type TemplateWorkersOptions } from './workers/template-workers.js';
