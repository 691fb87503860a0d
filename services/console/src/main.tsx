// First of all, so that what it asks for arrives while the others are evaluated.
import './api/first-session.js';
import './theme/tokens.css';
import './theme/reset.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { applyPreferences } from './theme/preferences.js';

applyPreferences();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no element for the console');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
