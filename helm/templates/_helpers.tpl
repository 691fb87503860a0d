{{- define "assay.controlPlaneUrl" -}}
{{- if .Values.controlPlane.enabled -}}
{{ include "assay.scheme" . }}://{{ include "assay.name" (dict "root" . "component" "control-plane") }}:8090
{{- else -}}
{{ required "controlPlane.url is required when controlPlane.enabled is false" .Values.controlPlane.url }}
{{- end -}}
{{- end }}

{{/* An environment variable from a Secret; nothing, or the error `required`, when the reference is empty. Call with name, secret, required. */}}
{{- define "assay.secretEnv" -}}
{{- if and .required (not .secret) }}
{{- fail .required }}
{{- end }}
{{- if .secret }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ required (printf "the Secret of %s needs a name" .name) .secret.name }}
      key: {{ required (printf "the Secret of %s needs a key" .name) .secret.key }}
{{- end }}
{{- end }}

{{- define "assay.scheme" -}}
{{ ternary "https" "http" (ne .Values.tls.secret "") }}
{{- end }}

{{/*
The certificates of a pod, by the folder that they are mounted in: the authority and the name of the Secret with the own certificate.
Call with the root context. Returns JSON.
*/}}
{{- define "assay.certificates" -}}
{{- $v := .Values -}}
{{- dict
  "kafka" (dict "ca" $v.kafka.caSecret "own" $v.kafka.clientSecret)
  "kafka-oauth" (dict "ca" (ternary $v.kafka.sasl.oauth.caSecret dict (eq $v.kafka.sasl.mechanism "oauthbearer")) "own" "")
  "clickhouse" (dict "ca" $v.clickhouse.caSecret "own" $v.clickhouse.clientSecret)
  "mongodb" (dict "ca" $v.mongodb.caSecret "own" $v.mongodb.clientSecret)
  "control-plane" (dict "ca" (ternary dict $v.controlPlane.caSecret $v.controlPlane.enabled) "own" (ternary "" $v.controlPlane.clientSecret $v.controlPlane.enabled))
  "llm-proxy" (dict "ca" $v.evaluator.llmProxyCaSecret "own" "")
  "pods" (dict "ca" (ternary $v.tls.caSecret dict (ne $v.tls.secret "")) "own" $v.tls.secret)
  "clients" (dict "ca" (ternary $v.tls.clientCaSecret dict (ne $v.tls.secret "")) "own" "")
| toJson -}}
{{- end }}

{{/* Settings of a connection with certificates. Call with root, folder, prefix, and withOwn, whether this process shows a certificate. */}}
{{- define "assay.env.certificates" -}}
{{- $files := get (include "assay.certificates" .root | fromJson) .folder }}
{{- if $files.ca }}
- { name: {{ .prefix }}_CA_FILE, value: /etc/assay/tls/{{ .folder }}/ca.crt }
{{- end }}
{{- if and $files.own .withOwn }}
- { name: {{ .prefix }}_CERT_FILE, value: /etc/assay/tls/{{ .folder }}/tls.crt }
- { name: {{ .prefix }}_KEY_FILE, value: /etc/assay/tls/{{ .folder }}/tls.key }
{{- end }}
{{- end }}

{{/* Settings of the connection of a pod to another one of the release. Call with root, prefix. */}}
{{- define "assay.env.betweenPods" -}}
{{- include "assay.env.certificates" (dict "root" .root "folder" "pods" "prefix" .prefix "withOwn" (not (empty .root.Values.tls.clientCaSecret))) }}
{{- end }}

{{/* Mounts of the certificates in these folders. Call with root, folders. */}}
{{- define "assay.tlsMounts" -}}
{{- $all := include "assay.certificates" .root | fromJson }}
{{- range $folder := .folders }}
{{- $files := get $all $folder }}
{{- if or $files.ca $files.own }}
- { name: tls-{{ $folder }}, mountPath: /etc/assay/tls/{{ $folder }}, readOnly: true }
{{- end }}
{{- end }}
{{- end }}

{{/* Volumes of these mounts. A renewed Secret is renewed in the pod. */}}
{{- define "assay.tlsVolumes" -}}
{{- $all := include "assay.certificates" .root | fromJson }}
{{- range $folder := .folders }}
{{- $files := get $all $folder }}
{{- if or $files.ca $files.own }}
- name: tls-{{ $folder }}
  projected:
    defaultMode: 0440
    sources:
      {{- with $files.ca }}
      - secret:
          name: {{ required (printf "the Secret of the authority of %s needs a name" $folder) .name }}
          items: [{ key: {{ required (printf "the Secret of the authority of %s needs a key" $folder) .key }}, path: ca.crt }]
      {{- end }}
      {{- with $files.own }}
      - secret:
          name: {{ . }}
          items: [{ key: tls.crt, path: tls.crt }, { key: tls.key, path: tls.key }]
      {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "assay.env.process" -}}
- { name: LOG_LEVEL, value: {{ .Values.logLevel | quote }} }
- { name: LOG_FORMAT, value: json }
{{- include "assay.env.certificates" (dict "root" . "folder" "clients" "prefix" "ASSAY_TLS_CLIENT" "withOwn" false) }}
{{- if .Values.tls.secret }}
- { name: ASSAY_TLS_CERT_FILE, value: /etc/assay/tls/pods/tls.crt }
- { name: ASSAY_TLS_KEY_FILE, value: /etc/assay/tls/pods/tls.key }
{{- if .Values.tls.admin }}
- { name: ASSAY_ADMIN_TLS_CERT_FILE, value: /etc/assay/tls/pods/tls.crt }
- { name: ASSAY_ADMIN_TLS_KEY_FILE, value: /etc/assay/tls/pods/tls.key }
{{- end }}
{{- end }}
{{- end }}

{{/* The scheme of probes and of the metrics. */}}
{{- define "assay.adminScheme" -}}
{{ ternary "HTTPS" "HTTP" (and .Values.tls.admin (ne .Values.tls.secret "")) }}
{{- end }}

{{/* The price table of the processes that estimate costs, in a folder that the cluster renews with the ConfigMap. */}}
{{- define "assay.env.prices" -}}
{{- if .Values.priceTableConfigMap }}
- { name: PRICE_TABLE_FILE, value: /etc/assay/prices/prices.json }
{{- end }}
{{- end }}

{{- define "assay.env.proxies" -}}
{{- with .Values.trustedProxies }}
- { name: TRUSTED_PROXIES, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}

{{- define "assay.env.browser" -}}
{{- with .Values.corsAllowedOrigins }}
- { name: CORS_ALLOWED_ORIGINS, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}

{{- define "assay.env.grpc" -}}
{{- if not .Values.ingestion.otlpGrpc }}
- { name: ASSAY_OTLP_GRPC_PORT, value: '0' }
{{- end }}
{{- end }}

{{- define "assay.env.kafka" -}}
{{- with .Values.kafka }}
- { name: KAFKA_BROKERS, value: {{ required "kafka.brokers is required" (join "," .brokers) | quote }} }
- { name: KAFKA_TOPIC_PREFIX, value: {{ .topicPrefix | quote }} }
- { name: KAFKA_PARTITIONS, value: {{ .partitions | quote }} }
- { name: KAFKA_REPLICATION_FACTOR, value: {{ .replicationFactor | quote }} }
- { name: KAFKA_TLS, value: {{ .tls | quote }} }
{{- if and (or .caSecret .clientSecret) (not .tls) }}
{{- fail "kafka.caSecret and kafka.clientSecret need kafka.tls: true" }}
{{- end }}
{{- include "assay.env.certificates" (dict "root" $ "folder" "kafka" "prefix" "KAFKA" "withOwn" true) }}
{{- include "assay.env.sasl" (dict "root" $ "sasl" .sasl "tls" .tls) }}
{{- end }}
{{- end }}

{{/* How a process authenticates at the brokers. Call with root, sasl, tls. */}}
{{- define "assay.env.sasl" -}}
{{- if .sasl.mechanism }}
- { name: KAFKA_SASL_MECHANISM, value: {{ .sasl.mechanism | quote }} }
{{- if include "assay.kafkaTokens" .root }}
{{- if not .tls }}
{{- fail (printf "kafka.sasl.mechanism %s needs kafka.tls: true, a token is readable without" .sasl.mechanism) }}
{{- end }}
{{- end }}
{{- if eq .sasl.mechanism "oauthbearer" }}
{{- with .sasl.oauth }}
- { name: KAFKA_OAUTH_TOKEN_URL, value: {{ required "kafka.sasl.oauth.tokenUrl is required with oauthbearer" .tokenUrl | quote }} }
- { name: KAFKA_OAUTH_CLIENT_ID, value: {{ required "kafka.sasl.oauth.clientId is required with oauthbearer" .clientId | quote }} }
{{- include "assay.secretEnv" (dict "name" "KAFKA_OAUTH_CLIENT_SECRET" "secret" .clientSecret "required" "kafka.sasl.oauth.clientSecret is required with oauthbearer") }}
{{- with .scope }}
- { name: KAFKA_OAUTH_SCOPE, value: {{ . | quote }} }
{{- end }}
{{- with .audience }}
- { name: KAFKA_OAUTH_AUDIENCE, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- include "assay.env.certificates" (dict "root" .root "folder" "kafka-oauth" "prefix" "KAFKA_OAUTH" "withOwn" false) }}
{{- else if eq .sasl.mechanism "aws-msk-iam" }}
{{- with .sasl.awsRegion }}
- { name: AWS_REGION, value: {{ . | quote }} }
{{- end }}
{{- else }}
- { name: KAFKA_SASL_USERNAME, value: {{ required "kafka.sasl.username is required with kafka.sasl.mechanism" .sasl.username | quote }} }
{{- include "assay.secretEnv" (dict "name" "KAFKA_SASL_PASSWORD" "secret" .sasl.passwordSecret "required" "kafka.sasl.passwordSecret is required with kafka.sasl.mechanism") }}
{{- end }}
{{- end }}
{{- end }}

{{/* Not empty when the processes get tokens for Kafka from another service. */}}
{{- define "assay.kafkaTokens" -}}
{{- if has .Values.kafka.sasl.mechanism (list "oauthbearer" "aws-msk-iam") }}yes{{ end }}
{{- end }}

{{- define "assay.env.clickhouse" -}}
{{- with .Values.clickhouse }}
- { name: CLICKHOUSE_URL, value: {{ required "clickhouse.url is required" .url | quote }} }
- { name: CLICKHOUSE_USERNAME, value: {{ .username | quote }} }
- { name: CLICKHOUSE_DATABASE, value: {{ .database | quote }} }
{{- if .cluster }}
- { name: CLICKHOUSE_CLUSTER, value: {{ .cluster | quote }} }
{{- end }}
{{- if .shards }}
- { name: CLICKHOUSE_SHARDS, value: {{ .shards | quote }} }
{{- end }}
{{- include "assay.secretEnv" (dict "name" "CLICKHOUSE_PASSWORD" "secret" .passwordSecret) }}
{{- if and (or .caSecret .clientSecret) (not (hasPrefix "https:" .url)) }}
{{- fail "clickhouse.caSecret and clickhouse.clientSecret need an https address in clickhouse.url" }}
{{- end }}
{{- include "assay.env.certificates" (dict "root" $ "folder" "clickhouse" "prefix" "CLICKHOUSE" "withOwn" true) }}
{{- end }}
{{- end }}

{{/* Connection of ingestion and the data plane to the control plane. */}}
{{- define "assay.env.controlPlane" -}}
{{ include "assay.env.controlPlaneOnly" . }}
{{- include "assay.secretEnv" (dict "name" "INGESTION_TOKEN" "secret" .Values.secrets.ingestionToken) }}
{{- end }}

{{/* The same without the secret between the data plane and ingestion. */}}
{{- define "assay.env.controlPlaneOnly" -}}
- { name: CONTROL_PLANE_URL, value: {{ include "assay.controlPlaneUrl" . | quote }} }
{{- include "assay.secretEnv" (dict "name" "CONTROL_PLANE_TOKEN" "secret" .Values.secrets.controlPlaneToken "required" "secrets.controlPlaneToken is required") }}
{{- if .Values.controlPlane.enabled }}
{{- include "assay.env.betweenPods" (dict "root" . "prefix" "CONTROL_PLANE") }}
{{- else }}
{{- include "assay.env.certificates" (dict "root" . "folder" "control-plane" "prefix" "CONTROL_PLANE" "withOwn" true) }}
{{- end }}
{{- end }}

{{/* All settings of a data-plane pod. Call with root, role. */}}
{{/* The folder is in the images of both planes. */}}
{{- define "assay.env.console" -}}
{{- if .Values.console.enabled }}
- { name: CONSOLE_DIR, value: /app/console }
{{- include "assay.secretEnv" (dict "name" "CONSOLE_SESSION_SECRET" "secret" .Values.secrets.consoleSession "required" "secrets.consoleSession is required when console.enabled is true") }}
{{- if .Values.console.allowHttp }}
- { name: CONSOLE_ALLOW_HTTP, value: 'true' }
{{- end }}
{{- with .Values.console.identityHeader }}
- { name: CONSOLE_IDENTITY_HEADER, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "assay.env.dataPlane" -}}
{{ include "assay.env.process" .root }}
- { name: ASSAY_ROLE, value: {{ .role }} }
{{- if eq .role "readers" }}
- { name: PURGE_DELETED_HOURS, value: {{ .root.Values.readers.purgeDeletedHours | int64 | quote }} }
- { name: PURGE_MAX_BYTES_PER_HOUR, value: {{ .root.Values.readers.purgeMaxBytesPerHour | int64 | quote }} }
- { name: PURGE_TOMBSTONE_DAYS, value: {{ .root.Values.readers.purgeTombstoneDays | int64 | quote }} }
{{- end }}
{{- include "assay.env.proxies" .root }}
{{- include "assay.env.browser" .root }}
{{- if eq .role "query" }}
{{- include "assay.env.console" .root }}
{{- end }}
{{- include "assay.env.kafka" .root }}
{{- include "assay.env.clickhouse" .root }}
- { name: CLICKHOUSE_MIGRATE, value: 'false' }
{{ include "assay.env.controlPlane" .root }}
- { name: INGESTION_URL, value: {{ include "assay.scheme" .root }}://{{ include "assay.name" (dict "root" .root "component" "ingestion") }}:8090 }
{{- include "assay.env.betweenPods" (dict "root" .root "prefix" "INGESTION") }}
{{- if .root.Values.evaluator.enabled }}
- { name: EVALUATOR_URL, value: {{ include "assay.scheme" .root }}://{{ include "assay.name" (dict "root" .root "component" "evaluator") }}:8090 }
{{- include "assay.secretEnv" (dict "name" "EVALUATOR_TOKEN" "secret" .root.Values.secrets.evaluatorToken) }}
{{- include "assay.env.betweenPods" (dict "root" .root "prefix" "EVALUATOR") }}
{{- end }}
- { name: REDACT_VALUES, value: {{ .root.Values.redactValues | quote }} }
{{- with .root.Values.redactAllow }}
- { name: REDACT_ALLOW, value: {{ . | quote }} }
{{- end }}
{{- if .root.Values.redactNames }}
- { name: REDACT_NAMES, value: "true" }
{{- include "assay.secretEnv" (dict "name" "REDACT_NAMES_KEY" "secret" .root.Values.secrets.redactNamesKey "required" "secrets.redactNamesKey is required with redactNames") }}
{{- end }}
{{- if .root.Values.redactNumbers }}
- { name: REDACT_NUMBERS, value: "true" }
{{- end }}
{{- include "assay.secretEnv" (dict "name" "ASSAY_ADMIN_TOKEN" "secret" .root.Values.secrets.adminToken) }}
{{- end }}
