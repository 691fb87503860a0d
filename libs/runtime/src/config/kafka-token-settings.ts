import { certificateFile } from './pem-file.js';
import { httpUrl, secret, text } from './settings.js';

export const SASL_MECHANISMS = [
  'plain',
  'scram-sha-256',
  'scram-sha-512',
  'oauthbearer',
  'aws-msk-iam',
] as const;

/** Settings of the mechanisms by which Kafka gets a token instead of a password. Those of AWS have the names that its SDKs read. */
export const kafkaTokenSettings = {
  kafkaOauthTokenUrl: httpUrl('KAFKA_OAUTH_TOKEN_URL', {
    description: 'Token endpoint of the authorization server, for client credentials',
  }),
  kafkaOauthClientId: text('KAFKA_OAUTH_CLIENT_ID', { description: 'Id of the client' }),
  kafkaOauthClientSecret: secret('KAFKA_OAUTH_CLIENT_SECRET', {
    description: 'Secret of the client',
  }),
  kafkaOauthScope: text('KAFKA_OAUTH_SCOPE', {
    description: 'Scopes that are asked for, separated by spaces',
  }),
  kafkaOauthAudience: text('KAFKA_OAUTH_AUDIENCE', {
    description: 'Audience that is asked for, where the server wants one',
  }),
  kafkaOauthCaFile: certificateFile('KAFKA_OAUTH_CA_FILE', {
    description: 'Its authorities, in place of those of Node',
  }),
  awsRegion: text('AWS_REGION', {
    description: 'With `aws-msk-iam`, as the following: region of the cluster',
  }),
  awsAccessKeyId: text('AWS_ACCESS_KEY_ID', { description: 'Id of a key' }),
  awsSecretAccessKey: secret('AWS_SECRET_ACCESS_KEY', { description: 'That key' }),
  awsSessionToken: secret('AWS_SESSION_TOKEN', {
    description: 'Token of a temporary key',
  }),
  awsRoleArn: text('AWS_ROLE_ARN', {
    description: 'Role that is assumed by `AWS_WEB_IDENTITY_TOKEN_FILE`, as EKS sets both',
  }),
  awsWebIdentityTokenFile: text('AWS_WEB_IDENTITY_TOKEN_FILE', {
    description: 'File with the token of the service account, read each time',
  }),
  awsStsUrl: httpUrl('AWS_ENDPOINT_URL_STS', {
    description: 'Endpoint of STS; without it, that of the region',
  }),
  awsContainerCredentialsUrl: httpUrl('AWS_CONTAINER_CREDENTIALS_FULL_URI', {
    description: 'Endpoint that gives the credentials of a pod, as EKS Pod Identity sets it',
  }),
  awsContainerTokenFile: text('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', {
    description: 'File with the token for that endpoint',
  }),
} as const;
