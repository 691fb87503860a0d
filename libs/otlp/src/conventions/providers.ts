import type { JsonValue } from '@assay/domain';
import { asText } from './readers.js';

/** Provider names of older conventions and vendors, with their name in the GenAI conventions. */
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

/** Provider names with a dot in the GenAI conventions. */
const KNOWN = new Set([
  'aws.bedrock',
  'azure.ai.inference',
  'azure.ai.openai',
  'gcp.gemini',
  'gcp.gen_ai',
  'gcp.vertex_ai',
  'ibm.watsonx.ai',
]);

/** Names of frameworks and conventions, which do not identify a model provider. */
const NOT_PROVIDERS = new Set([
  'strands-agents',
  'langchain',
  'microsoft.copilot_studio',
  'microsoft.agent_framework',
]);

/** Provider name in the GenAI conventions; unknown names in lower case; undefined for a framework. */
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

/** `openai.chat` becomes `openai`; names of the conventions such as `aws.bedrock` are unchanged. */
function withoutService(name: string): string {
  return /^(?:aws|azure|gcp|ibm)\./.test(name) ? name : (name.split('.', 1)[0] ?? name);
}

/** Original text where the stored provider name differs. */
export function asOtherSpelling(value: JsonValue): string | undefined {
  const sent = asText(value);
  return sent === asProvider(value) ? undefined : sent;
}
