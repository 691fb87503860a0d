import type { JsonValue } from '@assay/domain';
import { asText } from './readers.js';

/** Provider names of older conventions and vendors, with their name in the GenAI conventions. */
export const PROVIDER_SPELLINGS: Readonly<Record<string, string>> = {
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
export const FRAMEWORKS = new Set([
  ...[
    'strands-agents',
    'strands',
    'langchain',
    'langgraph',
    'langflow',
    'flowise',
    'dify',
    'haystack',
    'dspy',
  ],
  ...[
    'microsoft.copilot_studio',
    'microsoft.agent_framework',
    'semantic_kernel',
    'semantic-kernel',
    'promptflow',
  ],
  ...[
    'autogen',
    'autogen-core',
    'ag2',
    'crewai',
    'camel',
    'metagpt',
    'agentscope',
    'agno',
    'letta',
    'smolagents',
  ],
  ...[
    'llamaindex',
    'llama_index',
    'llama-index',
    'spring_ai',
    'spring-ai',
    'langchain4j',
    'pydantic_ai',
    'pydantic-ai',
  ],
  ...[
    'openai_agents',
    'openai-agents',
    'google_adk',
    'google-adk',
    'genkit',
    'mastra',
    'beeai',
    'livekit',
    'pipecat',
  ],
  ...['ai-sdk', 'ai_sdk', 'vercel_ai_sdk', 'n8n', 'litellm', 'mlflow', 'opik'],
]);

/** The name of a framework, as sent, where libraries put it instead of a provider. */
export function asFramework(value: JsonValue): string | undefined {
  const name = asText(value)?.trim();
  return name !== undefined && FRAMEWORKS.has(name.toLowerCase()) ? name : undefined;
}

/** Provider name in the GenAI conventions; unknown names in lower case; undefined for a framework. */
export function asProvider(value: JsonValue): string | undefined {
  const name = asText(value)?.trim().toLowerCase();
  if (name === undefined || FRAMEWORKS.has(name)) return undefined;
  if (KNOWN.has(name)) return name;
  if (!name.includes('.')) return canonical(name) ?? name;
  return canonical(name) ?? canonical(name.split('.', 1)[0] ?? name) ?? withoutService(name);
}

function canonical(name: string): string | undefined {
  if (name.startsWith('google.vertex')) return 'gcp.vertex_ai';
  return Object.hasOwn(PROVIDER_SPELLINGS, name) ? PROVIDER_SPELLINGS[name] : undefined;
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
