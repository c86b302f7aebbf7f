package io.flinkgpu.rules;

import org.apache.flink.annotation.PublicEvolving;

import java.util.List;
import java.util.Locale;

/** Groups of the built-in rules, to be switched as one. Those of a country hold rules that are in another group too. */
@PublicEvolving
public enum RuleGroup {
    /** Tokens and keys that their issuer or their form gives away. */
    SECRETS(
            "private_key jwt github_token slack_token gitlab_token google_api_key google_oauth stripe_key"
                    + " npm_token pypi_token rubygems_key anthropic_key openai_key huggingface_token azure_key"
                    + " azure_sas sendgrid_key twilio_key mailgun_key shopify_token square_token"
                    + " digitalocean_token vault_token terraform_token databricks_token grafana_token"
                    + " newrelic_key sentry_token dynatrace_token atlassian_token docker_token doppler_token"
                    + " linear_key postman_key age_key telegram_token discord_webhook issuer_token aws_key_id aws_secret"
                    + " private_key_line"),
    /** What is behind a key word, in a header, or in a URL. */
    CREDENTIALS(
            "url_userinfo auth_header secret_kv auth_scheme cookie aws_signature cli_secret xml_secret"
                    + " token_kv sql_password password_hash"),
    /** What tells one person. */
    PII(
            "email us_ssn us_ssn_named uk_nino br_cpf br_cnpj it_codice_fiscale mx_curp phone user_path"
                    + " birth_date"),
    /** Cards and accounts. */
    FINANCIAL("card_track card iban"),
    /** What tells one machine, one user of it, or one request. */
    NETWORK("uuid mac ipv6 ipv4 win_sid"),
    /** The United States. */
    US("us_ssn us_ssn_named"),
    /** The United Kingdom. */
    UK("uk_nino"),
    /** Brazil. */
    BR("br_cpf br_cnpj"),
    /** Italy. */
    IT("it_codice_fiscale"),
    /** Mexico. */
    MX("mx_curp");

    private final List<String> rules;

    RuleGroup(String rules) {
        this.rules = List.of(rules.split(" "));
    }

    /** The names of its rules. */
    public List<String> rules() {
        return rules;
    }

    /** Its name in rule files and on command lines: that of the constant in lower case. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The group of a key.
     *
     * @throws IllegalArgumentException if there is none, with those that there are
     */
    public static RuleGroup of(String key) {
        for (RuleGroup group : values()) {
            if (group.key().equals(key)) {
                return group;
            }
        }
        List<String> keys = List.of(values()).stream().map(RuleGroup::key).toList();
        throw new IllegalArgumentException(
                "no group of built-in rules has this name: group='"
                        + key
                        + "'; groups: "
                        + String.join(", ", keys));
    }
}
