import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';

/** Text that a template or a part of it writes. */
export class Output {
  private readonly parts: string[] = [];
  private bytes = 0;

  constructor(private readonly budget: Budget) {}

  write(text: string): void {
    if (text === '') return;
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > this.budget.limits.maxOutputBytes)
      throw new TemplateError(`the output is larger than ${this.budget.limits.maxOutputBytes} bytes`);
    this.parts.push(text);
  }

  text(): string {
    return this.parts.join('');
  }
}
