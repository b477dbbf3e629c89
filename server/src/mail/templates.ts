/**
 * The text of our mails, as plain text and as simple HTML. They hold no words that a person chose: a stranger can sign
 * up, or ask for a new password, with the address of another person.
 */
import type { Language } from '@tunemate/protocol';
import type { Mail } from './mail-queue.ts';

type Letter = Omit<Mail, 'to'>;

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** In the text the link has a line of its own. */
export const linkOf = (text: string): string | undefined => /^https?:\/\/\S+$/m.exec(text)?.[0];

/** The number that the page of a sign-up shows too; mails of other kinds have none. */
type LetterNumber = number | null;

function letter(kind: MailKind, link: string, language: Language, number: LetterNumber = null): Letter {
  const { greeting, orOpen, compare, [kind]: words } = mailWords[language];
  const { subject, paragraphs, button, footnote } = words;
  const compared = number === null ? null : compare.replace('{number}', String(number));
  const text = [greeting, ...paragraphs, ...(compared === null ? [] : [compared]), link, footnote].join('\n\n');
  const paragraph = (words: string): string => `<p class="words" style="${styles.words}">${escape(words)}</p>`;
  const [direction, start] = language === 'ar' ? ['rtl', 'right'] : ['ltr', 'left'];
  const numberRow =
    compared === null
      ? ''
      : `<table role="presentation" class="number" style="${styles.number}"><tr><td style="${styles.figure}">${String(number)}</td><td style="padding-${start}:18px">${paragraph(compared)}</td></tr></table>`;
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(subject)}</title><style>${darkStyles}</style></head>
<body class="back" style="${styles.back}">
<div dir="${direction}" class="sheet" style="${styles.sheet}">
<div style="${styles.band}">${logo}Tunemate</div>
<div style="${styles.body}">
<h1 class="title" style="${styles.title}">${escape(words.title)}</h1>
${[greeting, ...paragraphs].map(paragraph).join('\n')}
${numberRow}
<p style="margin:0"><a href="${escape(link)}" style="${styles.button}">${escape(button)}</a></p>
<p class="small" style="${styles.small}">${escape(orOpen)}<br><span dir="ltr">${escape(link)}</span></p>
</div>
<p class="foot small" style="${styles.small};${styles.foot}">${escape(footnote)}</p>
</div>
</body></html>
`,
  };
}

/** Programs that take no drawing in a mail show none. */
const logo =
  '<svg width="40" height="28" viewBox="0 0 40 28" style="vertical-align:middle;margin:0 12px" aria-hidden="true"><circle cx="14" cy="14" r="13" fill="#1c110e"/><circle cx="26" cy="14" r="13" fill="#1c110e"/><path d="M20 2.5a13 13 0 0 1 0 23 13 13 0 0 1 0-23z" fill="#fbefe3"/><circle cx="20" cy="14" r="2" fill="#1c110e"/></svg>';

/** Mail programs take styles of elements, and most of them leave out those of a page. */
const styles = {
  back: 'margin:0;padding:32px 0;background:#efe7df',
  sheet:
    "max-width:600px;margin:0 auto;border-radius:4px;overflow:hidden;background:#ffffff;color:#1c110e;font-family:'Special Gothic',Helvetica,Arial,sans-serif",
  band: 'padding:22px 20px;background:#ff6b3d;color:#1c110e;font-size:22px;font-weight:700;font-stretch:125%',
  body: 'padding:36px 32px 30px',
  title: 'margin:0 0 18px;font-size:30px;line-height:1.1;font-weight:700;font-stretch:125%',
  words: 'margin:0 0 18px;font-size:17px;line-height:1.5;color:#3a2a22',
  number:
    'width:100%;margin:0 0 20px;border-collapse:collapse;border-top:3px solid #1c110e;border-bottom:1px solid #b9a99d',
  figure: 'width:1px;padding:12px 0;font-size:52px;line-height:1;font-weight:700;font-stretch:125%',
  button:
    'display:block;padding:16px 20px;border-radius:10px;background:#ff6b3d;color:#1c110e;font-size:18px;font-weight:700;text-align:center;text-decoration:none',
  small: 'margin:18px 0 0;font-size:14px;line-height:1.45;color:#685850;overflow-wrap:anywhere',
  foot: 'margin:0;padding:18px 32px 24px;border-top:1px solid #e2d8cf',
};
const darkStyles = `.number p{margin:12px 0!important}@media (prefers-color-scheme:dark){.back{background:#120605!important}.sheet,.title{background:#231814!important;color:#fbefe3!important}.number{color:#fbefe3!important;border-top-color:#fbefe3!important;border-bottom-color:#6b5750!important}.words{color:#eadcd0!important}.small{color:#c9b8ac!important}.foot{border-top-color:#3d2e28!important}}`;

export const verificationMail = (link: string, language: Language, number: LetterNumber): Letter =>
  letter('verification', link, language, number);

export const passwordResetMail = (link: string, language: Language): Letter => letter('passwordReset', link, language);

/** Sent instead of a verification when the address already has an account. */
export const alreadyRegisteredMail = (link: string, language: Language): Letter =>
  letter('alreadyRegistered', link, language);

/** One kind of mail. */
interface LetterWords {
  subject: string;
  /** The heading in HTML. */
  title: string;
  /** Before the link. */
  paragraphs: readonly string[];
  /** Of the link in HTML. */
  button: string;
  /** The last paragraph, in small print. */
  footnote: string;
}

/** The sentences of our mails in each language. None holds a word that a person chose (templates.ts). */
type MailKind = 'verification' | 'passwordReset' | 'alreadyRegistered';

interface MailWords extends Record<MailKind, LetterWords> {
  greeting: string;
  /** Before the link as plain text, in HTML. */
  orOpen: string;
  /** With the mail's number as `{number}`. */
  compare: string;
}

const mailWords: Readonly<Record<Language, MailWords>> = {
  en: {
    greeting: 'Hello,',
    orOpen: 'Or copy this into your browser:',
    compare:
      'The page where you signed up shows the number {number}. If yours shows another, this mail is of another sign-up.',
    verification: {
      subject: 'Verify your email for Tunemate',
      title: 'Verify your email',
      paragraphs: ['Welcome to Tunemate. Open this link to verify your email address:'],
      button: 'Verify email',
      footnote: 'The link works once and for 24 hours. If you did not sign up, you can ignore this mail.',
    },
    passwordReset: {
      subject: 'Reset your Tunemate password',
      title: 'Choose a new password',
      paragraphs: ['Open this link to choose a new password:'],
      button: 'Choose a new password',
      footnote: 'The link works once and for 24 hours. If you did not ask for it, your password stays as it is.',
    },
    alreadyRegistered: {
      subject: 'You already have a Tunemate account',
      title: 'You already have an account',
      paragraphs: [
        'Somebody, probably you, tried to sign up for Tunemate with this address. It already has an account, and nothing was changed.',
        'If you forgot your password, choose "Forgot password?" on this page:',
      ],
      button: 'Log in to Tunemate',
      footnote: 'If it was not you, you can ignore this mail.',
    },
  },
  de: {
    greeting: 'Hallo,',
    orOpen: 'Oder kopiere diese Adresse in deinen Browser:',
    compare:
      'Die Seite, auf der du dich registriert hast, zeigt die Zahl {number}. Zeigt deine eine andere, gehört diese Mail zu einer anderen Registrierung.',
    verification: {
      subject: 'Bestätige deine E-Mail-Adresse für Tunemate',
      title: 'Bestätige deine E-Mail-Adresse',
      paragraphs: ['Willkommen bei Tunemate. Öffne diesen Link, um deine E-Mail-Adresse zu bestätigen:'],
      button: 'E-Mail-Adresse bestätigen',
      footnote:
        'Der Link gilt einmal und 24 Stunden lang. Wenn du dich nicht registriert hast, kannst du diese Mail ignorieren.',
    },
    passwordReset: {
      subject: 'Setze dein Tunemate-Passwort zurück',
      title: 'Wähle ein neues Passwort',
      paragraphs: ['Öffne diesen Link, um ein neues Passwort zu wählen:'],
      button: 'Neues Passwort wählen',
      footnote:
        'Der Link gilt einmal und 24 Stunden lang. Wenn du ihn nicht angefordert hast, bleibt dein Passwort, wie es ist.',
    },
    alreadyRegistered: {
      subject: 'Du hast schon ein Tunemate-Konto',
      title: 'Du hast schon ein Konto',
      paragraphs: [
        'Jemand, vermutlich du, wollte sich mit dieser Adresse bei Tunemate registrieren. Sie hat schon ein Konto, und nichts wurde geändert.',
        'Wenn du dein Passwort vergessen hast, wähle „Passwort vergessen?“ auf dieser Seite:',
      ],
      button: 'Bei Tunemate anmelden',
      footnote: 'Wenn du es nicht warst, kannst du diese Mail ignorieren.',
    },
  },
  es: {
    greeting: 'Hola:',
    orOpen: 'O copia esta dirección en tu navegador:',
    compare:
      'La página en la que te registraste muestra el número {number}. Si la tuya muestra otro, este correo es de otro registro.',
    verification: {
      subject: 'Verifica tu correo para Tunemate',
      title: 'Verifica tu correo',
      paragraphs: ['Te damos la bienvenida a Tunemate. Abre este enlace para verificar tu dirección de correo:'],
      button: 'Verificar correo',
      footnote: 'El enlace funciona una vez y durante 24 horas. Si no te registraste, puedes ignorar este correo.',
    },
    passwordReset: {
      subject: 'Restablece tu contraseña de Tunemate',
      title: 'Elige una contraseña nueva',
      paragraphs: ['Abre este enlace para elegir una contraseña nueva:'],
      button: 'Elegir una contraseña nueva',
      footnote: 'El enlace funciona una vez y durante 24 horas. Si no lo pediste, tu contraseña sigue como está.',
    },
    alreadyRegistered: {
      subject: 'Ya tienes una cuenta de Tunemate',
      title: 'Ya tienes una cuenta',
      paragraphs: [
        'Alguien, probablemente tú, intentó registrarse en Tunemate con esta dirección. Ya tiene una cuenta y nada ha cambiado.',
        'Si olvidaste tu contraseña, elige «¿Olvidaste tu contraseña?» en esta página:',
      ],
      button: 'Iniciar sesión en Tunemate',
      footnote: 'Si no fuiste tú, puedes ignorar este correo.',
    },
  },
  hi: {
    greeting: 'नमस्ते,',
    orOpen: 'या यह पता अपने ब्राउज़र में डालें:',
    compare:
      'जिस पेज पर आपने साइन अप किया, उस पर {number} दिखता है। अगर आपके पेज पर कोई और संख्या है, तो यह मेल किसी और साइन-अप का है।',
    verification: {
      subject: 'Tunemate के लिए अपना ईमेल वेरिफ़ाई करें',
      title: 'अपना ईमेल वेरिफ़ाई करें',
      paragraphs: ['Tunemate में आपका स्वागत है। अपना ईमेल पता वेरिफ़ाई करने के लिए यह लिंक खोलें:'],
      button: 'ईमेल वेरिफ़ाई करें',
      footnote: 'यह लिंक एक बार और 24 घंटे तक काम करता है। अगर आपने साइन अप नहीं किया, तो इस मेल को अनदेखा कर सकते हैं।',
    },
    passwordReset: {
      subject: 'अपना Tunemate पासवर्ड बदलें',
      title: 'नया पासवर्ड चुनें',
      paragraphs: ['नया पासवर्ड चुनने के लिए यह लिंक खोलें:'],
      button: 'नया पासवर्ड चुनें',
      footnote: 'यह लिंक एक बार और 24 घंटे तक काम करता है। अगर आपने इसे नहीं मांगा, तो आपका पासवर्ड वैसा ही रहेगा।',
    },
    alreadyRegistered: {
      subject: 'आपका Tunemate अकाउंट पहले से है',
      title: 'आपका अकाउंट पहले से है',
      paragraphs: [
        'किसी ने, शायद आपने ही, इस पते से Tunemate पर साइन अप करने की कोशिश की। इस पते का अकाउंट पहले से है और कुछ नहीं बदला गया।',
        'अगर आप पासवर्ड भूल गए हैं, तो इस पेज पर “पासवर्ड भूल गए?” चुनें:',
      ],
      button: 'Tunemate में लॉग इन करें',
      footnote: 'अगर यह आप नहीं थे, तो इस मेल को अनदेखा कर सकते हैं।',
    },
  },
  ar: {
    greeting: 'مرحبًا،',
    orOpen: 'أو انسخ هذا العنوان إلى متصفحك:',
    compare: 'تعرض الصفحة التي أنشأت فيها الحساب الرقم {number}. إن عرضت صفحتك رقمًا آخر فهذه الرسالة لحساب آخر.',
    verification: {
      subject: 'تأكيد بريدك الإلكتروني في Tunemate',
      title: 'أكّد بريدك الإلكتروني',
      paragraphs: ['أهلًا بك في Tunemate. افتح هذا الرابط لتأكيد عنوان بريدك الإلكتروني:'],
      button: 'تأكيد البريد الإلكتروني',
      footnote: 'يعمل الرابط مرة واحدة ولمدة 24 ساعة. إن لم تكن أنت من أنشأ الحساب فيمكنك تجاهل هذه الرسالة.',
    },
    passwordReset: {
      subject: 'إعادة تعيين كلمة مرور Tunemate',
      title: 'اختر كلمة مرور جديدة',
      paragraphs: ['افتح هذا الرابط لاختيار كلمة مرور جديدة:'],
      button: 'اختيار كلمة مرور جديدة',
      footnote: 'يعمل الرابط مرة واحدة ولمدة 24 ساعة. إن لم تطلبه فستبقى كلمة مرورك كما هي.',
    },
    alreadyRegistered: {
      subject: 'لديك حساب في Tunemate بالفعل',
      title: 'لديك حساب بالفعل',
      paragraphs: [
        'حاول شخص ما، ربما أنت، إنشاء حساب في Tunemate بهذا العنوان. للعنوان حساب بالفعل، ولم يتغير شيء.',
        'إن نسيت كلمة مرورك فاختر «نسيت كلمة المرور؟» في هذه الصفحة:',
      ],
      button: 'تسجيل الدخول إلى Tunemate',
      footnote: 'إن لم تكن أنت فيمكنك تجاهل هذه الرسالة.',
    },
  },
};
