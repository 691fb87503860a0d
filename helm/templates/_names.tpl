{{/* Labels of an object. Call with the root context. */}}
{{- define "assay.labels" -}}
{{ include "assay.chartLabels" . }}
{{- $own := include "assay.chartLabels" . | fromYaml }}
{{- range $label, $value := .Values.commonLabels }}
{{- if or (hasKey $own $label) (eq $label "app.kubernetes.io/component") }}
{{- fail (printf "commonLabels must not contain %s, which the chart sets" $label) }}
{{- end }}
{{ $label }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "assay.chartLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: assay
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{ include "assay.selector" . }}
{{- end }}

{{/* A Deployment refuses another selector, so nothing that an upgrade may change is in it. */}}
{{- define "assay.selector" -}}
app.kubernetes.io/name: {{ .Values.nameOverride | default "assay" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Begin of the names: `<release>`, with `nameOverride` `<release>-<nameOverride>` unless the release's name has it. */}}
{{- define "assay.fullname" -}}
{{- $release := .Release.Name -}}
{{- $own := .Values.nameOverride -}}
{{- $full := ternary $release (printf "%s-%s" $release $own) (or (empty $own) (contains (toString $own) $release)) -}}
{{- .Values.fullnameOverride | default $full | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Name of a component's objects: `<release>-<component>`, or with a release named `assay`, `assay-<component>`. Call with root, component. */}}
{{- define "assay.name" -}}
{{- printf "%s-%s" (include "assay.fullname" .root) .component -}}
{{- end }}

{{/* Name of a ServiceAccount. Call with root, component, account (its values). */}}
{{- define "assay.serviceAccountName" -}}
{{- if .account.create -}}
{{ .account.name | default (include "assay.name" .) }}
{{- else -}}
{{ .account.name | default "default" }}
{{- end -}}
{{- end }}

{{/*
Reference of an image. Call with root, program, and own (values `image` of the component). With a digest the tag is for people alone.
*/}}
{{- define "assay.imageReference" -}}
{{- $image := .root.Values.image -}}
{{- $own := .own | default dict -}}
{{- $repository := $own.repository -}}
{{- if not $repository -}}
{{- $prefix := required "image.repository is required: the path before the names of the images that you have built, such as registry.example.com/assay" $image.repository -}}
{{- $repository = printf "%s/%s" ($prefix | trimSuffix "/") .program -}}
{{- end -}}
{{- $registry := .root.Values.global.imageRegistry | default $own.registry | default $image.registry -}}
{{- $path := list $registry $repository | compact | join "/" -}}
{{- $tag := $own.tag | default $image.tag | default .root.Chart.AppVersion -}}
{{- list (printf "%s:%s" $path $tag) $own.digest | compact | join "@" -}}
{{- end }}

{{- define "assay.image" -}}
image: {{ include "assay.imageReference" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- end }}
