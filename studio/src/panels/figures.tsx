/** What is known about the result of the selected character: figures and notes. */
import type { JSX } from 'preact';
import { t } from '../app/strings.ts';
import { usePage } from './context.ts';

export function Figures(): JSX.Element | null {
  const { studio } = usePage();
  const { selected } = studio.history.state.value;
  const one = selected === null ? undefined : studio.results.value.get(selected);
  if (one === undefined) return null;
  if (one.error !== null || one.result === null) {
    return (
      <div class="section" role="alert">
        <h3 class="bad">{t('errorTitle')}</h3>
        <p>{one.error}</p>
      </div>
    );
  }
  const { hipsScale, contacts, issues, took } = one.result;
  const charts = one.measures?.charts ?? null;
  const notable = issues.filter(({ severity }) => severity !== 'info');
  return (
    <div class="section">
      <h3>{t('figures')}</h3>
      <div class="dim">
        {hipsScale !== null && (
          <div>
            {t('hipsScale')}: {hipsScale.toFixed(3)}
          </div>
        )}
        {charts !== null && (
          <div>
            {t('figurePose')}: {charts.poseError.reduce((a, b) => Math.max(a, b), 0).toFixed(1)}°
          </div>
        )}
        {contacts !== null && (
          <div>
            {t('figurePlants')}: {contacts.plants.left + contacts.plants.right}
          </div>
        )}
        <div>{t('figureTime', { count: Math.round(took) })}</div>
      </div>
      <h3>{t('issues')}</h3>
      {notable.length === 0 ? (
        <div class="good">{t('noIssues')}</div>
      ) : (
        <ul class="issues">
          {notable.map(({ code, message, severity }) => (
            <li key={`${code} ${message}`} class={severity === 'error' ? 'bad' : ''}>
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
