import type { ApiDocument, Parameter } from '../../api/openapi.js';
import { CopyButton } from '../../ui/copy-button.js';
import { useProject } from '../../url/use-project.js';
import { fieldsOf, typeOf, type ApiField, type ApiRoute } from './api-routes.js';
import { curlRequest } from './curl-request.js';

interface Props {
  readonly document: ApiDocument;
  readonly route: ApiRoute;
}

/** One route: what it does, a request to copy, and the fields of both bodies. */
export function RouteDetail({ document, route }: Props) {
  const { method, path, summary, description, isDeprecated, parameters, failures } = route;
  const project = useProject();
  const curl = curlRequest(document, route, { origin: location.origin, project });
  const body = fieldsOf(document, route.body);
  // What a response always has is of no use to a reader; what a request must have is.
  const response = fieldsOf(document, route.response).map((field) => ({ ...field, isRequired: false }));
  return (
    <article className="api-detail" aria-label={`${method} ${path}`} tabIndex={0}>
      <h2 className="api-title">
        <span className="api-method" data-method={method}>
          {method}
        </span>
        <code>{path}</code>
      </h2>
      <p>
        {summary}.{isDeprecated && ' Deprecated.'}
      </p>
      {description !== '' && <p className="api-text">{description}</p>}
      <div className="api-curl">
        <CopyButton text={curl} label="Copy as curl" />
        <pre tabIndex={0} aria-label="Request with curl">
          {curl}
        </pre>
      </div>
      <Fields title="Parameters" fields={parameters.map((one) => parameterField(document, one))} />
      <Fields title="Body" fields={body} />
      <Fields title="Response" fields={response} />
      {failures.length > 0 && (
        <section>
          <h3 className="api-part">Failures</h3>
          <dl className="api-failures">
            {failures.map(({ status, text }) => (
              <div key={status}>
                <dt>{status}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </article>
  );
}

function parameterField(document: ApiDocument, parameter: Parameter): ApiField {
  const { name, in: where, required = false, description = '', schema } = parameter;
  return {
    path: name,
    type: `${typeOf(document, schema)}, in the ${where}`,
    isRequired: required,
    description,
  };
}

function Fields({ title, fields }: { readonly title: string; readonly fields: readonly ApiField[] }) {
  if (fields.length === 0) return null;
  return (
    <section>
      <h3 className="api-part">{title}</h3>
      <table className="api-fields">
        <tbody>
          {fields.map(({ path, type, isRequired, description }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
                {isRequired && <span className="api-required">required</span>}
              </th>
              <td>
                <span className="api-type">{type}</span>
                {description}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
