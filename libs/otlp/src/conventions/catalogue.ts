import { claudeCode } from './claude-code.js';
import { genAi } from './gen-ai.js';
import { general } from './general.js';
import { googleAdk } from './google-adk.js';
import { honeyhive } from './honeyhive.js';
import { langfuse } from './langfuse.js';
import { langsmith } from './langsmith.js';
import { litellm } from './litellm.js';
import { mcp } from './mcp.js';
import { openInference } from './openinference.js';
import { openLlmetry } from './openllmetry.js';
import { ag2 } from './ag2.js';
import { agentOps } from './agentops.js';
import { autoGen } from './autogen.js';
import { braintrust } from './braintrust.js';
import { crewAi } from './crewai.js';
import { flue } from './flue.js';
import { genkit } from './genkit.js';
import { laminar } from './laminar.js';
import { liveKit } from './livekit.js';
import { mastra } from './mastra.js';
import { mlflow } from './mlflow.js';
import { opik } from './opik.js';
import { pydanticAi } from './pydantic-ai.js';
import { pipecat } from './pipecat.js';
import { sentry } from './sentry.js';
import { spanKinds } from './span-kinds.js';
import { springAi } from './spring-ai.js';
import { synonyms } from './synonyms.js';
import type { Convention } from './rule.js';
import { strands } from './strands.js';
import { vercel } from './vercel.js';

/** All supported conventions. */
export const CONVENTIONS: readonly Convention[] = [
  honeyhive,
  langfuse,
  genAi,
  openInference,
  openLlmetry,
  vercel,
  mcp,
  langsmith,
  pydanticAi,
  strands,
  googleAdk,
  claudeCode,
  litellm,
  mastra,
  ag2,
  genkit,
  mlflow,
  liveKit,
  general,
  opik,
  crewAi,
  flue,
  spanKinds,
  sentry,
  springAi,
  pipecat,
  synonyms,
  autoGen,
  laminar,
  braintrust,
  agentOps,
];
