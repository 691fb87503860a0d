export { TemplateError } from './template-error.js';
