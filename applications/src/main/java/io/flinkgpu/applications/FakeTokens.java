package io.flinkgpu.applications;

import java.util.List;
import java.util.function.Function;

/** Tokens of issuers, secrets by what stands in front of them, and national ids: made up, of the right form. */
final class FakeTokens {

    private static final String CAPITALS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
    private static final String DIGITS = "0123456789";
    private static final String LETTERS = CAPITALS + "abcdefghijkmnopqrstuvwxyz";
    private static final String ALL = LETTERS + DIGITS;

    /** A phrase with one of them in it, for each kind, as a service would log it. */
    static final List<Function<FakeSecrets, String>> PHRASES =
            List.of(
                    s -> "mirror pulled with glpat-" + s.text(ALL, 20),
                    s -> "maps client uses AIza" + s.text(ALL, 35),
                    s -> "refreshed ya29." + s.text(ALL, 40),
                    s -> "charge created by sk_test_" + s.text(ALL, 24),
                    s -> "publishing as npm_" + s.text(ALL, 36),
                    s -> "uploading wheel as pypi-" + s.text(ALL, 60),
                    s -> "pushing gem as rubygems_" + s.hex(48),
                    s -> "summary by sk-ant-" + s.text(ALL, 40),
                    s -> "embedding by sk-proj-" + s.text(ALL, 40),
                    s -> "weights fetched as hf_" + s.text(ALL, 34),
                    s -> "blob store opened, AccountKey=" + s.text(ALL, 86) + "==",
                    s -> "download link /report?sv=2024&sig=" + s.text(ALL, 43),
                    s -> "mail sent through SG." + s.text(ALL, 22) + "." + s.text(ALL, 43),
                    s -> "text sent by SK" + s.hex(32),
                    s -> "bounce reported to key-" + s.hex(32),
                    s -> "shop opened with shpat_" + s.hex(32),
                    s -> "terminal paired as sq0atp-" + s.text(ALL, 22),
                    s -> "droplet made by dop_v1_" + s.hex(64),
                    s -> "lease renewed by hvs." + s.text(ALL, 30),
                    s -> "plan applied by " + s.text(ALL, 14) + ".atlasv1." + s.text(ALL, 64),
                    s -> "notebook started by dapi" + s.hex(32),
                    s -> "dashboard saved by glsa_" + s.text(ALL, 41),
                    s -> "deploy recorded by NRAK-" + s.text(CAPITALS, 27),
                    s -> "issue filed by sntrys_" + s.text(ALL, 64),
                    s ->
                            "agent joined with dt0c01."
                                    + s.text(CAPITALS, 24)
                                    + "."
                                    + s.text(CAPITALS, 64),
                    s -> "page edited by ATATT3" + s.text(ALL, 60),
                    s -> "layer pushed as dckr_pat_" + s.text(ALL, 27),
                    s -> "config read by dp.pt." + s.text(ALL, 43),
                    s -> "ticket moved by lin_api_" + s.text(ALL, 40),
                    s -> "collection run by PMAK-" + s.hex(24) + "-" + s.hex(34),
                    s -> "backup sealed for AGE-SECRET-KEY-1" + s.text("ACDEFGHJKLMNPQRS", 58),
                    s -> "bot 4" + s.text(DIGITS, 8) + ":AA" + s.text(ALL, 33) + " polled",
                    s ->
                            "alert posted to discord.com/api/webhooks/"
                                    + s.text(DIGITS, 18)
                                    + "/"
                                    + s.text(ALL, 60),
                    s -> "completion by gsk_" + s.text(ALL, 52),
                    s ->
                            "call with Authorization: Digest username="
                                    + s.name()
                                    + ", nonce="
                                    + s.hex(8),
                    s -> "response has Set-Cookie: sid=" + s.text(ALL, 20),
                    s -> "object signed, X-Amz-Signature=" + s.hex(64),
                    s -> "started backup --password " + s.text(LETTERS, 12),
                    s -> "soap body <password>" + s.text(LETTERS, 12) + "</password>",
                    s -> "session opened, token=" + s.text(ALL, 24),
                    s -> "ran CREATE USER app IDENTIFIED BY '" + s.text(LETTERS, 12) + "'",
                    s -> "stored for " + s.name() + ": $2b$12$" + s.text(ALL, 53),
                    s -> "reader sent ;4" + s.text(DIGITS, 15) + "=2512" + s.text(DIGITS, 13) + "?",
                    s ->
                            "form has SSN 1"
                                    + s.text("123456789", 2)
                                    + " 4"
                                    + s.text("123456789", 1)
                                    + " 1234",
                    s -> "payroll entry for AB" + s.text(DIGITS, 6) + "C",
                    s -> "fatura de " + cpf(s),
                    s -> "empresa " + s.text(DIGITS, 2) + "." + s.text(DIGITS, 3) + ".222/0001-81",
                    s ->
                            "codice fiscale "
                                    + s.text(CAPITALS, 6)
                                    + "80A01H501"
                                    + s.text(CAPITALS, 1),
                    s -> "alta de " + s.text(CAPITALS, 4) + "800101HDFRRL09");

    private FakeTokens() {}

    private static String cpf(FakeSecrets s) {
        return s.text(DIGITS, 3) + "." + s.text(DIGITS, 3) + "." + s.text(DIGITS, 3) + "-09";
    }
}
