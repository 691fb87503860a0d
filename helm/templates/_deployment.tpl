{{/*
A Deployment. Call with root, component, value (name of the component in the values), image (name of the program), ownImage (values), scaled
(whether something else decides the replicas), env (text), grpc (whether it accepts OTLP over gRPC), folders (of certificates, besides those
of the ports), providers (reference to the Secret of model providers), and prices (reference to the ConfigMap of the price table).
*/}}
{{- define "assay.deployment" -}}
{{- $values := get .root.Values .value }}
{{- $folders := concat (list "pods" "clients") .folders }}
{{- $pod := include "assay.podValues" (dict "root" .root "own" $values "component" .value) | fromJson }}
{{- $selector := printf "%s\napp.kubernetes.io/component: %s" (include "assay.selector" .root) .component }}
{{- $existing := lookup "apps/v1" "Deployment" .root.Release.Namespace (include "assay.name" .) }}
{{- if and $existing (ne (toJson $existing.spec.selector.matchLabels) (fromYaml $selector | toJson)) }}
{{- fail (printf "the Deployment %s selects pods by another nameOverride or release, which cannot change: keep nameOverride, or change fullnameOverride as well" (include "assay.name" .)) }}
{{- end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "assay.name" . }}
  labels:
    {{- include "assay.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not .scaled }}
  replicas: {{ $values.replicas }}
  {{- else }}
  {{- /* The number that autoscaling has chosen. When autoscaling begins, removing the field would set one pod. */}}
  {{- with $existing }}
  replicas: {{ int .spec.replicas }}
  {{- end }}
  {{- end }}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{- $selector | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      {{- include "assay.podMetadata" (dict "root" .root "pod" $pod "component" .component) | nindent 6 }}
    spec:
      {{- $account := include "assay.serviceAccountName" (dict "root" .root "component" "pods" "account" .root.Values.serviceAccount) }}
      {{- include "assay.podSpec" (dict "root" .root "pod" $pod "account" $account) | nindent 6 }}
      terminationGracePeriodSeconds: 60
      {{- with include "assay.spread" (dict "pod" $pod "selector" $selector) | trim }}
      topologySpreadConstraints:
        {{- . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          {{- include "assay.image" (dict "root" .root "program" .image "own" .ownImage) | nindent 10 }}
          {{- include "assay.containerEnv" (dict "env" .env "pod" $pod) | nindent 10 }}
          ports:
            - { name: http, containerPort: 8090 }
            - { name: admin, containerPort: 8091 }
            {{- if .grpc }}
            - { name: grpc, containerPort: 4317 }
            {{- end }}
          {{- include "assay.probes" (dict "root" .root "pod" $pod) | nindent 10 }}
          # Endpoints are removed before connections are closed.
          lifecycle: { preStop: { exec: { command: [node, -e, 'setTimeout(() => {}, 5000)'] } } }
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            {{- include "assay.containerSecurity" (dict "pod" $pod) | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if $values.dataSize }}
            - { name: data, mountPath: /var/lib/assay }
            {{- end }}
            {{- with include "assay.tlsMounts" (dict "root" .root "folders" $folders) | trim }}
            {{- . | nindent 12 }}
            {{- end }}
            {{- if .providers }}
            - { name: llm-providers, mountPath: /etc/assay/llm, readOnly: true }
            {{- end }}
            {{- if .prices }}
            - { name: prices, mountPath: /etc/assay/prices, readOnly: true }
            {{- end }}
            {{- with $pod.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
        {{- with $pod.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
        {{- if $values.dataSize }}
        - { name: data, emptyDir: { sizeLimit: {{ $values.dataSize }} } }
        {{- end }}
        {{- with include "assay.tlsVolumes" (dict "root" .root "folders" $folders) | trim }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with .providers }}
        - name: llm-providers
          projected:
            defaultMode: 0440
            sources:
              - secret:
                  name: {{ required "evaluator.llmProvidersSecret needs a name" .name }}
                  items: [{ key: {{ required "evaluator.llmProvidersSecret needs a key" .key }}, path: providers.json }]
        {{- end }}
        {{- with .prices }}
        - name: prices
          configMap:
            name: {{ required "priceTableConfigMap needs a name" .name }}
            items: [{ key: {{ required "priceTableConfigMap needs a key" .key }}, path: prices.json }]
        {{- end }}
        {{- with $pod.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}

{{/* Constraints of the spread. Those of the values count the pods of the component unless they say which. Call with pod, selector. */}}
{{- define "assay.spread" -}}
{{- $labels := dict "matchLabels" (fromYaml .selector) }}
{{- $default := dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway" }}
{{- $constraints := ternary .pod.topologySpreadConstraints (list $default) (kindIs "slice" .pod.topologySpreadConstraints) }}
{{- range $constraint := $constraints }}
{{ list (merge (dict) $constraint (dict "labelSelector" $labels)) | toYaml }}
{{- end }}
{{- end }}

{{/* The probes. A consumer that has not polled for 30 s fails the liveness probe; one that is busy with a batch does not. Call with root, pod. */}}
{{- define "assay.probes" -}}
{{- $scheme := include "assay.adminScheme" .root }}
{{- $health := dict "httpGet" (dict "path" "/healthz" "port" "admin" "scheme" $scheme) }}
{{- $ready := dict "httpGet" (dict "path" "/readyz" "port" "admin" "scheme" $scheme) }}
{{- $defaults := dict
  "startup" (merge (dict "periodSeconds" 2 "failureThreshold" 150) $health)
  "liveness" (merge (dict "periodSeconds" 10 "timeoutSeconds" 5 "failureThreshold" 6) $health)
  "readiness" (merge (dict "periodSeconds" 5 "timeoutSeconds" 5 "failureThreshold" 2) $ready) }}
{{- range $name := list "startup" "liveness" "readiness" }}
{{- $own := get $.pod.probes $name | default dict }}
{{- $probe := get $defaults $name }}
{{- /* A probe has one way to ask. */}}
{{- if or (hasKey $own "exec") (hasKey $own "tcpSocket") (hasKey $own "grpc") }}
{{- $probe = omit $probe "httpGet" }}
{{- end }}
{{ $name }}Probe:
  {{- include "assay.overridden" (dict "of" $probe "by" $own) | nindent 2 }}
{{- end }}
{{- end }}
