{{/*
The values of the pods of a component: those of all pods and its own. Maps and lists are added, other values replace. Call with root,
own (values of the component), component (its name in the values). Returns JSON.
*/}}
{{- define "assay.podValues" -}}
{{- $all := .root.Values }}
{{- $own := .own }}
{{- $result := dict }}
{{- range $name := list "nodeSelector" "podAnnotations" "podLabels" "podSecurityContext" "securityContext" "probes" }}
{{- $merged := dict }}
{{- range $values := list (get $all $name) (get $own $name) }}
{{- range $key, $value := $values | default dict }}
{{- $_ := set $merged $key $value }}
{{- end }}
{{- end }}
{{- $_ := set $result $name $merged }}
{{- end }}
{{- range $name := list "tolerations" "envFrom" "extraVolumes" "extraVolumeMounts" "extraContainers" "initContainers" }}
{{- $_ := set $result $name (concat (get $all $name | default list) (get $own $name | default list)) }}
{{- end }}
{{- range $name := list "affinity" "topologySpreadConstraints" "priorityClassName" }}
{{- $value := get $own $name }}
{{- $_ := set $result $name (ternary (get $all $name) $value (or (not (hasKey $own $name)) (kindIs "invalid" $value))) }}
{{- end }}
{{- $labels := append (include "assay.chartLabels" .root | fromYaml | keys) "app.kubernetes.io/component" }}
{{- range $label := $labels }}
{{- if hasKey $result.podLabels $label }}
{{- fail (printf "podLabels must not contain %s, which the chart sets" $label) }}
{{- end }}
{{- end }}
{{- $_ := set $result "env" (include "assay.extraEnv" . | fromJsonArray) }}
{{- toJson $result }}
{{- end }}

{{/* The variables of `extraEnv` and `env`, the last of each name. Call with root, own, component. Returns JSON. */}}
{{- define "assay.extraEnv" -}}
{{- $component := .component }}
{{- $variables := list }}
{{- range $name, $value := .own.env }}
{{- /* As JSON, a large number has no exponent. */}}
{{- $variables = append $variables (dict "name" $name "value" (ternary $value (toJson $value) (kindIs "string" $value))) }}
{{- end }}
{{- range $variable := $variables }}
{{- include "assay.refuseSecret" (dict "variable" $variable "where" (printf "%s.env" $component) "component" $component) }}
{{- end }}
{{- range $variable := .root.Values.extraEnv }}
{{- include "assay.refuseSecret" (dict "variable" $variable "where" "extraEnv" "component" "") }}
{{- end }}
{{- range $variable := .own.extraEnv | default list }}
{{- include "assay.refuseSecret" (dict "variable" $variable "where" (printf "%s.extraEnv" $component) "component" $component) }}
{{- end }}
{{- $last := dict }}
{{- $names := list }}
{{- range $variable := concat (.root.Values.extraEnv | default list) $variables (.own.extraEnv | default list) }}
{{- $names = append (without $names $variable.name) $variable.name }}
{{- $_ := set $last $variable.name $variable }}
{{- end }}
{{- $result := list }}
{{- range $name := $names }}
{{- $result = append $result (get $last $name) }}
{{- end }}
{{- toJson $result }}
{{- end }}

{{/* The API server, helm and its history keep values in clear text. Call with variable, where, component. */}}
{{- define "assay.refuseSecret" -}}
{{- $value := .variable.value | default "" | toString }}
{{- $named := regexMatch "(^|_)(PASSWORD|PASSWD|TOKEN|PEPPER|SECRET|KEY|CREDENTIALS?)$|^MONGODB_URL$|^ALERT_SMTP_URL$|^OTEL_EXPORTER_OTLP_HEADERS$" .variable.name }}
{{- $inUrl := regexMatch "://[^/?#\\s]*:[^/?#\\s]*@" $value }}
{{- if and $value (or $named $inUrl) }}
{{- fail (printf "%s must not contain the secret %s, because a release keeps its values in clear text: name a Secret instead, by the value of the chart or by %s with valueFrom.secretKeyRef" .where .variable.name (list .component "extraEnv" | compact | join ".")) }}
{{- end }}
{{- end }}

{{/*
Fields of a pod that the Deployments and the Job share. A Service named `assay` would otherwise inject variables with our prefix. Call with
root, pod (of assay.podValues), account (name of the ServiceAccount).
*/}}
{{- define "assay.podSpec" -}}
enableServiceLinks: false
automountServiceAccountToken: false
serviceAccountName: {{ .account }}
securityContext:
  {{- include "assay.podSecurity" . | nindent 2 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- range $name := list "affinity" "nodeSelector" "tolerations" "initContainers" }}
{{- with get $.pod $name }}
{{ $name }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* Labels and annotations of a pod. Call with root, pod, component. */}}
{{- define "assay.podMetadata" -}}
labels:
  {{- $labels := merge (dict "app.kubernetes.io/component" .component) .pod.podLabels (include "assay.labels" .root | fromYaml) }}
  {{- toYaml $labels | nindent 2 }}
{{- with .pod.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Where the cluster assigns the user, it refuses another one. It also assigns the group of the volumes. */}}
{{- define "assay.podSecurity" -}}
{{- $podUser := .root.Values.podUser }}
{{- $assigned := or (eq $podUser "assigned") (and (eq $podUser "auto") (.root.Capabilities.APIVersions.Has "security.openshift.io/v1")) }}
{{- $context := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") }}
{{- if not $assigned }}
{{- $context = merge $context (dict "runAsUser" 65532 "runAsGroup" 65532 "fsGroup" 65532) }}
{{- end }}
{{- include "assay.overridden" (dict "of" $context "by" .pod.podSecurityContext) }}
{{- end }}

{{- define "assay.containerSecurity" -}}
{{- $context := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) }}
{{- include "assay.overridden" (dict "of" $context "by" .pod.securityContext) }}
{{- end }}

{{/* The fields of a map with those of another in their place; null removes a field. Call with of, by. */}}
{{- define "assay.overridden" -}}
{{- $result := .of }}
{{- range $name, $value := .by }}
{{- if kindIs "invalid" $value }}
{{- $result = omit $result $name }}
{{- else }}
{{- $_ := set $result $name $value }}
{{- end }}
{{- end }}
{{- toYaml $result }}
{{- end }}

{{/* Variables of the container: those of the chart (text), and `env` of the pod in place of them. Call with env, pod. */}}
{{- define "assay.containerEnv" -}}
{{- $replaced := list }}
{{- range .pod.env }}
{{- $replaced = append $replaced .name }}
{{- end }}
env:
{{- range $variable := fromYamlArray .env }}
{{- if not (has $variable.name $replaced) }}
{{- list $variable | toYaml | nindent 2 }}
{{- end }}
{{- end }}
{{- with .pod.env }}
{{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
