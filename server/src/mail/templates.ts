/**
 * The text of our mails, as plain text and as simple HTML. They hold no words that a person chose: anybody can sign up, or
 * ask for a new password, with the address of somebody else.
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

function letter(kind: MailKind, link: string, language: Language): Letter {
  const { greeting, orOpen, [kind]: words } = mailWords[language];
  const { subject, paragraphs, button, footnote } = words;
  const text = [greeting, ...paragraphs, link, footnote].join('\n\n');
  const html = [
    `<p>${escape(greeting)}</p>`,
    ...paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
    `<p><a href="${escape(link)}">${escape(button)}</a></p>`,
    `<p>${escape(orOpen)} <span dir="ltr">${escape(link)}</span></p>`,
    `<p><small>${escape(footnote)}</small></p>`,
  ].join('\n');
  const direction = language === 'ar' ? ' dir="rtl"' : '';
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="${language}"${direction}><head><meta charset="utf-8"><title>${escape(subject)}</title></head><body>\n${html}\n</body></html>\n`,
  };
}

export const verificationMail = (link: string, language: Language): Letter => letter('verification', link, language);

export const passwordResetMail = (link: string, language: Language): Letter => letter('passwordReset', link, language);

/** Sent instead of a verification when the address already has an account. */
export const alreadyRegisteredMail = (link: string, language: Language): Letter =>
  letter('alreadyRegistered', link, language);

/** One kind of mail. */
interface LetterWords {
  subject: string;
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
}

const mailWords: Readonly<Record<Language, MailWords>> = {
  en: {
    greeting: 'Hello,',
    orOpen: 'Or open this address:',
    verification: {
      subject: 'Verify your email for Tunemate',
      paragraphs: ['Welcome to Tunemate. Open this link to verify your email address:'],
      button: 'Verify email',
      footnote: 'The link works once and for 24 hours. If you did not sign up, you can ignore this mail.',
    },
    passwordReset: {
      subject: 'Reset your Tunemate password',
      paragraphs: ['Open this link to choose a new password:'],
      button: 'Choose a new password',
      footnote: 'The link works once and for 24 hours. If you did not ask for it, your password stays as it is.',
    },
    alreadyRegistered: {
      subject: 'You already have a Tunemate account',
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
    orOpen: 'Oder öffne diese Adresse:',
    verification: {
      subject: 'Bestätige deine E-Mail-Adresse für Tunemate',
      paragraphs: ['Willkommen bei Tunemate. Öffne diesen Link, um deine E-Mail-Adresse zu bestätigen:'],
      button: 'E-Mail-Adresse bestätigen',
      footnote:
        'Der Link gilt einmal und 24 Stunden lang. Wenn du dich nicht registriert hast, kannst du diese Mail ignorieren.',
    },
    passwordReset: {
      subject: 'Setze dein Tunemate-Passwort zurück',
      paragraphs: ['Öffne diesen Link, um ein neues Passwort zu wählen:'],
      button: 'Neues Passwort wählen',
      footnote:
        'Der Link gilt einmal und 24 Stunden lang. Wenn du ihn nicht angefordert hast, bleibt dein Passwort, wie es ist.',
    },
    alreadyRegistered: {
      subject: 'Du hast schon ein Tunemate-Konto',
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
    orOpen: 'O abre esta dirección:',
    verification: {
      subject: 'Verifica tu correo para Tunemate',
      paragraphs: ['Te damos la bienvenida a Tunemate. Abre este enlace para verificar tu dirección de correo:'],
      button: 'Verificar correo',
      footnote: 'El enlace funciona una vez y durante 24 horas. Si no te registraste, puedes ignorar este correo.',
    },
    passwordReset: {
      subject: 'Restablece tu contraseña de Tunemate',
      paragraphs: ['Abre este enlace para elegir una contraseña nueva:'],
      button: 'Elegir una contraseña nueva',
      footnote: 'El enlace funciona una vez y durante 24 horas. Si no lo pediste, tu contraseña sigue como está.',
    },
    alreadyRegistered: {
      subject: 'Ya tienes una cuenta de Tunemate',
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
    orOpen: 'या यह पता खोलें:',
    verification: {
      subject: 'Tunemate के लिए अपना ईमेल वेरिफ़ाई करें',
      paragraphs: ['Tunemate में आपका स्वागत है। अपना ईमेल पता वेरिफ़ाई करने के लिए यह लिंक खोलें:'],
      button: 'ईमेल वेरिफ़ाई करें',
      footnote: 'यह लिंक एक बार और 24 घंटे तक काम करता है। अगर आपने साइन अप नहीं किया, तो इस मेल को अनदेखा कर सकते हैं।',
    },
    passwordReset: {
      subject: 'अपना Tunemate पासवर्ड बदलें',
      paragraphs: ['नया पासवर्ड चुनने के लिए यह लिंक खोलें:'],
      button: 'नया पासवर्ड चुनें',
      footnote: 'यह लिंक एक बार और 24 घंटे तक काम करता है। अगर आपने इसे नहीं मांगा, तो आपका पासवर्ड वैसा ही रहेगा।',
    },
    alreadyRegistered: {
      subject: 'आपका Tunemate अकाउंट पहले से है',
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
    orOpen: 'أو افتح هذا العنوان:',
    verification: {
      subject: 'تأكيد بريدك الإلكتروني في Tunemate',
      paragraphs: ['أهلًا بك في Tunemate. افتح هذا الرابط لتأكيد عنوان بريدك الإلكتروني:'],
      button: 'تأكيد البريد الإلكتروني',
      footnote: 'يعمل الرابط مرة واحدة ولمدة 24 ساعة. إن لم تكن أنت من أنشأ الحساب فيمكنك تجاهل هذه الرسالة.',
    },
    passwordReset: {
      subject: 'إعادة تعيين كلمة مرور Tunemate',
      paragraphs: ['افتح هذا الرابط لاختيار كلمة مرور جديدة:'],
      button: 'اختيار كلمة مرور جديدة',
      footnote: 'يعمل الرابط مرة واحدة ولمدة 24 ساعة. إن لم تطلبه فستبقى كلمة مرورك كما هي.',
    },
    alreadyRegistered: {
      subject: 'لديك حساب في Tunemate بالفعل',
      paragraphs: [
        'حاول شخص ما، ربما أنت، إنشاء حساب في Tunemate بهذا العنوان. للعنوان حساب بالفعل، ولم يتغير شيء.',
        'إن نسيت كلمة مرورك فاختر «نسيت كلمة المرور؟» في هذه الصفحة:',
      ],
      button: 'تسجيل الدخول إلى Tunemate',
      footnote: 'إن لم تكن أنت فيمكنك تجاهل هذه الرسالة.',
    },
  },
};
