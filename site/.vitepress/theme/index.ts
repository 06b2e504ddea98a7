/** The theme: that of VitePress, with the colors and the tools of anyrig. */
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { DropTool } from './drop-tool.ts';
import { Gallery } from './gallery.ts';
import { LiveStage } from './live-stage.ts';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('LiveStage', LiveStage);
    app.component('DropTool', DropTool);
    app.component('Gallery', Gallery);
  },
} satisfies Theme;
