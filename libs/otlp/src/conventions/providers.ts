import type { JsonValue } from '@assay/domain';
import { asText } from './readers.js';

/** Provider names of the GenAI conventions, which are their own spelling. */
const CANONICAL = [
  'aws.bedrock',
  'azure.ai.inference',
  'azure.ai.openai',
  'gcp.gemini',
  'gcp.gen_ai',
  'gcp.vertex_ai',
  'ibm.watsonx.ai',
  'mistral_ai',
  'moonshot_ai',
  'x_ai',
];

/** Other spellings of providers, in the form of {@link plainName}, with their name in the GenAI conventions. */
export const PROVIDER_SPELLINGS: Readonly<Record<string, string>> = {
  azaiinference: 'azure.ai.inference',
  azureai: 'azure.ai.inference',
  azaiopenai: 'azure.ai.openai',
  azure: 'azure.ai.openai',
  azureopenai: 'azure.ai.openai',
  aws: 'aws.bedrock',
  amazonbedrock: 'aws.bedrock',
  bedrock: 'aws.bedrock',
  bedrockconverse: 'aws.bedrock',
  google: 'gcp.gen_ai',
  googlegenai: 'gcp.gen_ai',
  gemini: 'gcp.gemini',
  googleai: 'gcp.gemini',
  googlegla: 'gcp.gemini',
  vertexai: 'gcp.vertex_ai',
  googlevertex: 'gcp.vertex_ai',
  googlevertexai: 'gcp.vertex_ai',
  gcpvertexagent: 'gcp.vertex_ai',
  anthropicvertex: 'gcp.vertex_ai',
  ibm: 'ibm.watsonx.ai',
  watsonx: 'ibm.watsonx.ai',
  ibmwatsonx: 'ibm.watsonx.ai',
  mistral: 'mistral_ai',
  mistralai: 'mistral_ai',
  moonshot: 'moonshot_ai',
  xai: 'x_ai',
};

/** A name in lower case without separators: `Semantic-Kernel`, `semantic_kernel` and `SemanticKernel` are one. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s._-]+/g, '');
}

/** Frameworks and conventions, which do not identify a model provider, in the form of {@link plainName}. */
export const FRAMEWORKS: ReadonlySet<string> = new Set(
  [
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
      'microsoft.semantic_kernel',
      'semantic-kernel',
    ],
    ...['promptflow', 'autogen', 'autogen-core', 'autogen-agentchat', 'ag2', 'crewai', 'camel', 'metagpt'],
    ...[
      'agentscope',
      'agno',
      'letta',
      'smolagents',
      'llama-index',
      'spring-ai',
      'langchain4j',
      'pydantic-ai',
    ],
    ...[
      'openai-agents',
      'openai-agents-python',
      'claude-agent-sdk',
      'google-adk',
      'genkit',
      'mastra',
      'beeai',
    ],
    ...[
      'livekit',
      'pipecat',
      'ai-sdk',
      'vercel-ai-sdk',
      'vercel.ai',
      'n8n',
      'litellm',
      'mlflow',
      'opik',
      'koog',
    ],
    ...['bedrock-agentcore', 'browser-use', 'copilotkit', 'instructor'],
  ].map(plainName),
);

const BY_PLAIN_NAME = new Map([
  ...CANONICAL.map((name) => [plainName(name), name] as const),
  ...Object.entries(PROVIDER_SPELLINGS),
]);

/** The name of a framework, as sent, where libraries put it instead of a provider. */
export function asFramework(value: JsonValue): string | undefined {
  const name = asText(value)?.trim();
  return name !== undefined && isFramework(name) ? name : undefined;
}

/** Provider name in the GenAI conventions; unknown names in lower case; undefined for a framework. */
export function asProvider(value: JsonValue): string | undefined {
  const name = asText(value)?.trim().toLowerCase();
  if (name === undefined || isFramework(name)) return undefined;
  const known = canonical(name);
  if (known !== undefined || !name.includes('.')) return known ?? name;
  return canonical(name.split('.', 1)[0] ?? name) ?? withoutService(name);
}

/** Longer texts are no spelling of a name. */
const MAX_NAME = 64;

function isFramework(name: string): boolean {
  return name.length <= MAX_NAME && FRAMEWORKS.has(plainName(name));
}

function canonical(name: string): string | undefined {
  if (name.startsWith('google.vertex')) return 'gcp.vertex_ai';
  return name.length <= MAX_NAME ? BY_PLAIN_NAME.get(plainName(name)) : undefined;
}

/** `openai.chat` becomes `openai`; names that begin like those of the conventions are unchanged. */
function withoutService(name: string): string {
  return /^(?:aws|azure|gcp|ibm)\./.test(name) ? name : (name.split('.', 1)[0] ?? name);
}

/** Original text where the stored provider name differs. */
export function asOtherSpelling(value: JsonValue): string | undefined {
  const sent = asText(value);
  return sent === asProvider(value) ? undefined : sent;
}
