import type { JsonValue } from '@assay/domain';
import { asText } from './readers.js';

/** Older and vendors' spellings of providers, and the names that the GenAI conventions give them. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'az.ai.inference': 'azure.ai.inference',
  'az.ai.openai': 'azure.ai.openai',
  azure: 'azure.ai.openai',
  azure_openai: 'azure.ai.openai',
  aws: 'aws.bedrock',
  'amazon-bedrock': 'aws.bedrock',
  bedrock: 'aws.bedrock',
  google: 'gcp.gen_ai',
  gemini: 'gcp.gemini',
  vertex_ai: 'gcp.vertex_ai',
  vertexai: 'gcp.vertex_ai',
  'gcp.vertex.agent': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  mistralai: 'mistral_ai',
  xai: 'x_ai',
};

/** Names of the conventions that have a dot. */
const KNOWN = new Set([
  'aws.bedrock',
  'azure.ai.inference',
  'azure.ai.openai',
  'gcp.gemini',
  'gcp.gen_ai',
  'gcp.vertex_ai',
  'ibm.watsonx.ai',
]);

/** Names of frameworks and of conventions: they say nothing about who hosts the model. */
const NOT_PROVIDERS = new Set(['strands-agents', 'langchain', 'microsoft.copilot_studio']);

/** The provider in the spelling of the GenAI conventions; unknown ones in lower case; a framework is none. */
export function asProvider(value: JsonValue): string | undefined {
  const name = asText(value)?.trim().toLowerCase();
  if (name === undefined || NOT_PROVIDERS.has(name)) return undefined;
  if (KNOWN.has(name)) return name;
  if (!name.includes('.')) return canonical(name) ?? name;
  return canonical(name) ?? canonical(name.split('.', 1)[0] ?? name) ?? withoutService(name);
}

function canonical(name: string): string | undefined {
  if (name.startsWith('google.vertex')) return 'gcp.vertex_ai';
  return Object.hasOwn(SPELLINGS, name) ? SPELLINGS[name] : undefined;
}

/** `openai.chat` is the provider `openai`; a name of the conventions such as `aws.bedrock` is whole. */
function withoutService(name: string): string {
  return /^(?:aws|azure|gcp|ibm)\./.test(name) ? name : (name.split('.', 1)[0] ?? name);
}

/** The text as sent where the stored provider is spelled otherwise. */
export function asOtherSpelling(value: JsonValue): string | undefined {
  const sent = asText(value);
  return sent === asProvider(value) ? undefined : sent;
}
