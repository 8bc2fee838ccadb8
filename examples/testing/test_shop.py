"""unittest, and any other language: the service in a process of its own, controlled over HTTP."""

import json
import os
import subprocess
import unittest
from urllib.error import HTTPError
from urllib.request import Request, urlopen

PROMO = os.environ.get("PROMO", "promo").split()


class Shop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        start = [*PROMO, "sandbox", "start", "--empty", "--data", ":memory:", "--json"]
        cls.process = subprocess.Popen(start, stdout=subprocess.PIPE, text=True)
        cls.sandbox = json.loads(cls.process.stdout.readline())

    @classmethod
    def tearDownClass(cls):
        cls.process.terminate()
        cls.process.wait()
        cls.process.stdout.close()

    def setUp(self):
        self.control("POST", "reset")

    def send(self, method, path, body, headers):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **headers}
        request = Request(self.sandbox["url"] + path, data, headers, method=method)
        try:
            with urlopen(request) as answer:
                return answer.status, json.loads(answer.read() or "null")
        except HTTPError as error:
            with error:
                return error.code, json.loads(error.read() or "null")

    def call(self, method, path, body=None):
        keys = {"X-App-Id": self.sandbox["app_id"], "X-App-Token": self.sandbox["app_token"]}
        return self.send(method, path, body, keys)

    def control(self, method, path, body=None):
        token = {"Authorization": "Bearer " + self.sandbox["control_token"]}
        return self.send(method, "/__promo/" + path, body, token)

    def test_a_code_expires(self):
        gift = {"type": "GIFT_VOUCHER", "gift": {"amount": 1000}, "expiration_date": "2027-01-31T00:00:00Z"}
        redemption = {"redeemables": [{"object": "voucher", "id": "GIFT", "gift": {"credits": 1}}], "order": {"amount": 1}}
        self.control("PUT", "clock", {"time": "2027-01-01T00:00:00Z"})
        self.call("POST", "/v1/vouchers/GIFT", gift)
        before, _ = self.call("POST", "/v1/redemptions", redemption)
        self.control("POST", "clock/advance", {"by": "31d"})

        after, refusal = self.call("POST", "/v1/redemptions", redemption)

        self.assertEqual((before, after), (200, 400), refusal)

    def test_begins_empty(self):
        self.assertEqual(self.call("GET", "/v1/vouchers")[1]["total"], 0)


if __name__ == "__main__":
    unittest.main()
