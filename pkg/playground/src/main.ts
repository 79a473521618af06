/** The page: starts it, or says what the browser lacks. */
import "../styles/page.css";
import "../styles/panels.css";
import "../styles/tables.css";
import "../styles/dialogs.css";
import "../styles/simulate.css";
import "capi-policy/elements";
import { missingFeatures } from "./features";
import { Page } from "./page";
import { showNotice } from "./views/notice";

const missing = missingFeatures();
if (missing.length > 0) showNotice(`The playground does not run in this browser: it lacks ${missing.join(", ")}.`);
else new Page();
